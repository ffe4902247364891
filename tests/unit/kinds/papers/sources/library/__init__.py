"""Tests of the library of the papers kind."""
