"""The kinds, a folder each."""
