"""Benchmarks: scripts that compare goldpan with a peer or with a bound, and exit with 1 if a limit is broken."""
