"""Unit tests of the rate limits."""
