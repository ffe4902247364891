"""Single-flight locks: their port, and their stores in SQLite and DynamoDB."""
