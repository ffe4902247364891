"""goldpan on one machine: the command, the server and its page, and the tools for agents."""
