"""Tests of what is kept in DynamoDB: what is asked of it, what lies there, what may be wrong with it."""
