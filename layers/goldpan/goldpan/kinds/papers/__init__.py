"""The papers kind: academic papers from many sources, deduplicated, scored and ranked."""
