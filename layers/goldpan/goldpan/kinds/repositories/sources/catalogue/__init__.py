"""A catalogue of repositories in one SQLite file, searched with the semantics of a GitHub search."""
