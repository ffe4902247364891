"""Reads the user's own files into the papers of a library: an index, references, PDFs and notes."""
