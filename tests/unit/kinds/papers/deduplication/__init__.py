"""Tests of the deduplicator."""
