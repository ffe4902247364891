"""Papers as bibliographies, for reference managers."""
