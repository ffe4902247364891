"""GitHub as a source, over real sockets to a GitHub on loopback."""
