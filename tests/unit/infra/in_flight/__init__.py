"""Tests of the bound on calls in flight."""
