"""The built artefact, run outside AWS under AWS's own runtime client; `make build` makes it."""
