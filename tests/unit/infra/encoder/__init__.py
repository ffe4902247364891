"""Unit tests of the encoder."""
