"""Rate limits shared by processes: their port, and their stores in SQLite and DynamoDB."""
