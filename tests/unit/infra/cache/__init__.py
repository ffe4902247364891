"""Unit tests of the cache."""
