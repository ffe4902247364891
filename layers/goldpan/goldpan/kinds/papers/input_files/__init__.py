"""Records of papers as users write them in files, and their groups of duplicates."""
