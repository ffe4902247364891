"""What a question is read as."""
