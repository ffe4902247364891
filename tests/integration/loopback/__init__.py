"""Tests of the loopback GitHub and the loopback language model: they behave as the originals are documented."""
