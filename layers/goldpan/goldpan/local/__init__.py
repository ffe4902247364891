"""One machine: its runtime, and the functions of goldpan for Python."""
