"""`goldpan serve`: the HTTP contract on one machine."""
