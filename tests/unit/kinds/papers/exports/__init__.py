"""Tests of how papers are shown and exported."""
