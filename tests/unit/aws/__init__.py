"""Unit tests of the deployment: its doors, its messages and what one state of the flow may hold."""
