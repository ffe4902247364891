"""The cache: its port, its implementations in SQLite and DynamoDB, and typed values on top of it."""
