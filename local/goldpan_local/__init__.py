"""goldpan on one machine: the command line and the sample catalogue that it carries."""
