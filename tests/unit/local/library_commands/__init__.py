"""Tests of `goldpan library`."""
