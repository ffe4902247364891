"""Analyze one repository: what it is like in six dimensions, each statement with the page that shows it."""
