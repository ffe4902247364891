"""The built functions, run outside of AWS under AWS's own runtime client; `make build` builds them."""
