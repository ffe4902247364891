"""Finds the records of one paper, and merges them field by field."""
