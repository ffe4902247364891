"""Tests of the fusion of rankings."""

from __future__ import annotations

from goldpan.kinds.papers.sources.library.fusion import calibrate_scores, fuse


def test_what_two_rankings_have_comes_before_what_one_has() -> None:
    """The first ones of either come after what both have among their first."""
    assert fuse([(["a", "b", "c"], 1.0), (["d", "b", "e"], 1.0)])[0] == "b"
    assert fuse([(["a"], 1.0), (["a", "b"], 1.0), ([], 1.0)]) == ["a", "b"]


def test_a_faint_vote_only_adds() -> None:
    """With the weight of a table's vectors, a ranking that contradicts the words changes no place among a hundred."""
    words = [f"w{n}" for n in range(100)]
    near = ["new", *reversed(words), "newer"]
    assert fuse([(words, 1.0), (near[:100], 0.01)]) == [*words, "new"]


def test_values_fall_with_the_order_and_are_those_of_the_evidence() -> None:
    """The first one has the value of the best evidence, also if that is another's; none is 0, and none is above 1."""
    assert calibrate_scores(["a", "b", "c"], {"b": 0.9, "a": 0.3}) == [("a", 0.9), ("b", 0.3), ("c", 0.0)]
    assert calibrate_scores(["a"], {"a": 1.0001}) == [("a", 1.0)]
