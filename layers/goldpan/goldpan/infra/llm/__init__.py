"""The language model: its port, its OpenAI-compatible client, and its prices."""
