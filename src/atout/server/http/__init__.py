"""HTTP: the middleware every request passes, the REST operations, their description, and the built page."""
