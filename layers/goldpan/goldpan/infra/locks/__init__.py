"""Single-flight locks: their port, and its implementations in SQLite and DynamoDB."""
