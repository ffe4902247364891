"""Rate limits: the sliding window that counts calls, and the limiter that counts them in a table."""
