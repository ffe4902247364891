"""Reading a question: what all kinds share."""
