"""Calls in flight: their bound, its port, and its implementations in SQLite and DynamoDB."""
