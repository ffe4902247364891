"""Tests of the command and of the server."""
