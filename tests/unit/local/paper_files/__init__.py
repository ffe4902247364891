"""Tests of `goldpan dedupe`."""
