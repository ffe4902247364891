"""The flow of a search, for any kind of result."""
