"""Compares files that must agree: the template, the state machines, the settings, the Makefile and the documents."""
