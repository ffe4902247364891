"""Tests of the user's own papers."""
