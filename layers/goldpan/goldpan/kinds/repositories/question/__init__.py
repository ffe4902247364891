"""What a question asks for, as search parameters and searches."""
