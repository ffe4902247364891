"""GitHub, live."""
