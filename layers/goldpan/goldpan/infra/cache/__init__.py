"""The cache: its entries in a table, and typed values on top of it."""
