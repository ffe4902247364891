"""The repositories kind: five stages, and what only they need."""
