"""Open pages: who watches which table, and the sockets that keep pages up to date."""
