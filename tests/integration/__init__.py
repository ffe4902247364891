"""Parts together, over real sockets on loopback."""
