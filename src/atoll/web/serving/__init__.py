"""The site as a server: connections, requests, visitors, and the games made ready."""
