"""What goldpan reads, against recorded responses and published schemas that are not part of the project."""
