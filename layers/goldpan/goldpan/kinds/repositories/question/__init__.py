"""Translate a question into search parameters, and plan its searches."""
