"""Reads the dependencies that a repository's manifests name."""
