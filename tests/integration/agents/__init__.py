"""The server for agents, called by the official client."""
