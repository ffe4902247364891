"""The version of goldpan: part of every cache key, and what `goldpan --version` prints."""

__version__ = "0.2.0"
