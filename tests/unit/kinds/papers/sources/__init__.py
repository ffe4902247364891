"""The sources of papers."""
