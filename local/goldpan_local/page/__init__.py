"""The page of the server: a question, its progress, and the results as rows."""
