"""Tests of the scan of stored vectors."""

from __future__ import annotations

import pytest
from goldpan.infra.encoder.port import similarity
from goldpan.infra.encoder.scan import StoredVectors
from goldpan.infra.encoder.table import shipped_table

TEXTS = [
    "HTTP client with retries",
    "Web framework for small services",
    "",
    "Fast HTTP requests",
    "Image resizing in the browser",
    "HTTP client with retries",
    "Charts for React",
]


def test_a_scan_has_the_order_and_the_values_of_the_similarity() -> None:
    """Equal vectors stay in stored order; those without a positive similarity are left out."""
    table = shipped_table()
    question, *stored = table.encode(["http request library", *TEXTS])
    expected = [similarity(question, vector) for vector in stored]
    hits = StoredVectors(b"".join(stored), table.dimensions).nearest(question, 100)
    order = sorted(range(len(TEXTS)), key=lambda position: (-expected[position], position))
    assert [hit.position for hit in hits] == [position for position in order if expected[position] > 0]
    assert [hit.similarity for hit in hits] == pytest.approx([expected[hit.position] for hit in hits], abs=1e-6)


def test_a_limited_scan_prefers_the_first_of_equals_and_stays_among_the_given() -> None:
    """A limit in the midst of equal vectors keeps the first ones."""
    table = shipped_table()
    question, *stored = table.encode(["client with retries", *TEXTS])
    vectors = StoredVectors(b"".join(stored), table.dimensions)
    assert [hit.position for hit in vectors.nearest(question, 1)] == [0]
    assert [hit.position for hit in vectors.nearest(question, 1, among=[2, 5, 6])] == [5]
    assert vectors.nearest(bytes(table.dimensions), 5) == []


def test_an_empty_store_has_no_neighbours() -> None:
    """A store without documents is no error."""
    assert StoredVectors(b"", 3).nearest(b"\x01\x02\x03", 5) == []
