"""The cache: its port, and its stores in SQLite and DynamoDB."""
