"""What must agree: the template, the state machines, the HTTP contract, the settings and the documents."""
