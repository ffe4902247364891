"""Rate limits: their port, the sliding window that counts them, and its implementations in SQLite and DynamoDB."""
