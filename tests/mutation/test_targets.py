"""The data file of the mutation test, and a rule on what it never draws."""

import pytest

from tests.mutation.__main__ import ROOT
from tests.mutation.mutants import load
from tests.mutation.texts import orders_texts


def test_every_target_stands_in_the_tree() -> None:
    """`make mutants`, which CI does not run, still finds each file and text that it changes."""
    assert len(load(ROOT)["fixed"]) == 6


@pytest.mark.parametrize(
    ("equality", "never"), [("place == 'a'", 1), ("place != NAME", 1), ("text == place", 1), ("place == count", 0)]
)
@pytest.mark.parametrize("ordering", ["<", ">="])
def test_texts_are_not_put_in_order(equality: str, never: int, ordering: str) -> None:
    """A mutant that orders texts is not drawn; one that orders anything else is, and so is the opposite."""
    source = f"def f(text: str, count: int): return 0 if {equality} else 1"
    left, operator, right = equality.split()
    assert orders_texts(source, source.replace(equality, f"{left} {ordering} {right}"), {"NAME"}) == never
    opposite = f"{left} {'!=' if operator == '==' else '=='} {right}"
    assert not orders_texts(source, source.replace(equality, opposite), {"NAME"})
