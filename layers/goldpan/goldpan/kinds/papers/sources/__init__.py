"""The sources of papers, one module each."""
