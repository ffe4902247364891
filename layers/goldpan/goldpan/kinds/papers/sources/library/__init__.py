"""The user's own papers: one index file a project, searched by words and by meaning."""
