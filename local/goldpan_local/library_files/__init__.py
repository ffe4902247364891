"""Reads the user's own files into the papers of a library: an index, JSON Lines, BibTeX, and notes."""
