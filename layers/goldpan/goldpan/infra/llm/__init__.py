"""The language model: its port, its OpenAI-compatible client, its settings and its prices."""
