"""Unit tests of the language model."""
