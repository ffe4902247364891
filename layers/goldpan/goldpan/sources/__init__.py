"""The outside sources."""
