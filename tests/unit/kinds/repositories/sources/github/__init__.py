"""Unit tests of GitHub as a source."""
