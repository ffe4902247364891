"""Ports to what all kinds share, and their real implementations."""
