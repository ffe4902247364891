"""What a question becomes: search parameters and searches."""
