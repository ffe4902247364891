"""The kinds of results that a search can find."""
