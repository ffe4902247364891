"""Saved searches: what they ask, the log of their runs, and what is new since the last one."""
