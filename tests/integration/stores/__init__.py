"""Tests of what is remembered between searches: the same in every store, and in the SQLite file of one machine."""
