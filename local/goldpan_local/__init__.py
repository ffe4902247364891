"""goldpan on one machine: the command, the server and the sample catalogue."""
