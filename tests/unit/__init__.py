"""One part at a time, without a socket."""
