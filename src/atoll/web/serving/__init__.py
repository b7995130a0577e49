"""The site as a server: the application, connections, sockets, and the handlers of requests."""
