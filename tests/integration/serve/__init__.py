"""Tests of `goldpan serve` as a process of its own, and of its connections."""
