"""Unit tests of the single-flight locks."""
