"""The mapping templates on Apache Velocity itself."""
