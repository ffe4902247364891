"""The formats of an answer; each shows the results of a kind by its presentation, and knows no kind."""
