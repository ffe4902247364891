"""Tests of reading a question for papers."""
