"""Unit tests of what all kinds use of the outside."""
