"""`goldpan serve`: the HTTP contract of `api/openapi.yaml` on one machine."""
