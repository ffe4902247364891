"""The encoder: its port, the word table that is shipped, a scan of stored vectors, and an optional sentence encoder."""
