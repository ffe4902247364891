"""Two files that must agree do: the template, the state machine, the settings, the documents and their drawing."""
