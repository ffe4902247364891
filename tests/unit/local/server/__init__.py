"""Tests of the server, whose application runs in this process."""
