"""Tests of the stores over a real SQLite file and a simulated DynamoDB."""
