"""The tools of the tests that decide by more than a comparison."""
