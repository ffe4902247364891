"""Tests of the HTTP contract: against the models of the library, and with its mapping templates run."""
