"""What all kinds use of the outside: ports and their implementations, HTTP, retries, threads, settings."""
