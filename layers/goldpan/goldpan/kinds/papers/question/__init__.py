"""Understanding a question about papers: an intent, and a strategy of queries for it."""
