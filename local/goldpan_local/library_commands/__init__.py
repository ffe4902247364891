"""`goldpan library`: imports the user's own papers and notes, and searches them."""
