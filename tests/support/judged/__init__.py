"""The judged set: frozen records, questions with the repositories that answer them, and the figures last measured."""
