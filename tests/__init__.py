"""The tests, by the layer that they look at."""
