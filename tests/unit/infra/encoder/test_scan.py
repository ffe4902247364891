"""Tests of the scan of stored vectors."""

from __future__ import annotations

import pytest
from goldpan.infra.encoder.port import similarity
from goldpan.infra.encoder.scan import PlainVectors, StoredVectors, scan_available, vector_lengths
from goldpan.infra.encoder.table import shipped_table

needs_numpy = pytest.mark.skipif(not scan_available(), reason="NumPy is not installed")
TEXTS = [
    "HTTP client with retries",
    "Web framework for small services",
    "",
    "Fast HTTP requests",
    "Image resizing in the browser",
    "HTTP client with retries",
    "Charts for React",
]


@pytest.mark.parametrize("by_numpy", [False, pytest.param(True, marks=needs_numpy)])
def test_a_scan_has_the_order_and_the_values_of_the_table(*, by_numpy: bool) -> None:
    """Both scans rank as the similarity does; equal vectors stay in stored order, empty ones are left out."""
    table = shipped_table()
    question, *stored = table.encode(["http request library", *TEXTS])
    expected = [similarity(question, vector) for vector in stored]
    content = b"".join(stored)
    plain = PlainVectors(table.name, table.dimensions, content, vector_lengths(stored))
    hits = (StoredVectors(table.name, table.dimensions, content) if by_numpy else plain).nearest(question, 100)
    order = sorted(range(len(TEXTS)), key=lambda position: (-expected[position], position))
    assert [hit.position for hit in hits] == [position for position in order if TEXTS[position]]
    assert [hit.similarity for hit in hits] == pytest.approx([expected[hit.position] for hit in hits], abs=1e-6)


@needs_numpy
def test_a_limited_scan_prefers_the_first_of_equals_and_stays_among_the_given() -> None:
    """A limit in the midst of equal vectors does not make the result depend on NumPy."""
    table = shipped_table()
    question, *stored = table.encode(["client with retries", *TEXTS])
    vectors = StoredVectors(table.name, table.dimensions, b"".join(stored))
    assert [hit.position for hit in vectors.nearest(question, 1)] == [0]
    assert [hit.position for hit in vectors.nearest(question, 1, among=[2, 5, 6])] == [5]
    assert vectors.nearest(bytes(table.dimensions), 5) == []


@needs_numpy
def test_an_empty_store_has_no_neighbours() -> None:
    """A store without documents is no error."""
    assert StoredVectors("any", 3, b"").nearest(b"\x01\x02\x03", 5) == []
