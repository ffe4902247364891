"""How papers are shown, and exported to reference managers."""
