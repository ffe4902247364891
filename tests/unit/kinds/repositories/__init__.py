"""The repositories kind."""
