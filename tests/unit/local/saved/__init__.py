"""The tests of saved searches."""
