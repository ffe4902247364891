"""`goldpan dedupe`: finds the records of a file that are the same paper."""
