"""GitHub as a source of repositories."""
