"""goldpan for agents: a server of the Model Context Protocol over standard input and output."""
