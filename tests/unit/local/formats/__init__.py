"""Tests of the formats of an answer."""
