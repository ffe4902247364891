"""Tests of the search of a library's vectors."""

from __future__ import annotations

import numpy as np
import pytest
from goldpan.errors import Misconfigured
from goldpan.infra.encoder.port import similarity
from goldpan.kinds.papers.sources.library.passage_search import PassageVectors

DIMENSIONS = 96


def _topics(count: int, seed: int) -> list[bytes]:
    """Make vectors around forty centres, all with a common part, as those of real encoders are."""
    random = np.random.default_rng(seed)
    centres = random.normal(0.4, 1, (40, DIMENSIONS))
    vectors = centres[random.integers(0, 40, count)] + random.normal(0, 0.5, (count, DIMENSIONS))
    scaled = vectors * (127 / np.abs(vectors).max(axis=1, keepdims=True))
    return [row.tobytes() for row in np.rint(scaled).astype(np.int8)]


def _loaded(vectors: list[bytes]) -> PassageVectors:
    return PassageVectors([(number // 2, number, number + 1, row) for number, row in enumerate(vectors)], DIMENSIONS)


def test_the_nearest_passages_are_those_of_the_definition() -> None:
    """Cosines, order and places are as computed one by one; other papers and negative cosines are left out."""
    vectors, (question,) = _topics(300, 1), _topics(1, 1)
    order = sorted(range(300), key=lambda at: -similarity(question, vectors[at]))
    found = _loaded(vectors).nearest(question, 10)
    assert [near.start for near in found] == order[:10]
    assert [(near.paper, near.end) for near in found] == [(at // 2, at + 1) for at in order[:10]]
    assert found[3].similarity == pytest.approx(similarity(question, vectors[order[3]]), abs=1e-5)
    allowed = frozenset({1, 7, 148, 9999})
    some = _loaded(vectors).nearest(question, 10, allowed)
    positive = [at for at in order if similarity(question, vectors[at]) > 0]
    assert [near.start for near in some] == [at for at in positive if at // 2 in allowed]


def test_a_question_that_cannot_be_compared_finds_nothing_or_is_refused() -> None:
    """A question without a known word has no direction; one of another encoder's size is an error by name."""
    loaded = _loaded(_topics(5, 3))
    assert loaded.nearest(bytes(DIMENSIONS), 3) == []
    with pytest.raises(Misconfigured, match="has 4 dimensions, those of the library 96"):
        loaded.nearest(b"\x01\x02\x03\x04", 3)
