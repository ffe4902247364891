"""Benchmarks: scripts that compare with a peer or with a bound, each with the floors that it checks."""
