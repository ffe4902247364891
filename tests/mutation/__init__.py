"""A mutation test by sample: do the tests notice mistakes in the code? Run by `make mutants`."""
