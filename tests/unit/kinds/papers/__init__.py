"""The papers kind."""
