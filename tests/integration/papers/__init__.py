"""The sources of papers, over real sockets to servers on loopback."""
