"""Fakes, factories, clocks and loopback servers that the tests share."""
