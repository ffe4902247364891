"""The data file of the mutation test."""

from tests.mutation.__main__ import ROOT
from tests.mutation.mutants import load


def test_every_target_stands_in_the_tree() -> None:
    """`make mutants`, which CI does not run, still finds each file and text that it changes."""
    assert len(load(ROOT)["fixed"]) == 6
