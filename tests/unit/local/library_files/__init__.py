"""Tests of the readers of the user's files."""
