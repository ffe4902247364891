"""Unit tests of the sources of repositories."""
