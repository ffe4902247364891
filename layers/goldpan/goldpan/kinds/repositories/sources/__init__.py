"""The sources of repositories."""
