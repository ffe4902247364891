"""Texts that name several authors."""

from __future__ import annotations

import pytest
from goldpan.kinds.papers.input_files.author_text import split_authors


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A. Smith and B. Doe", "A. Smith|B. Doe"),
        ("Smith, John and Doe, Ann", "Smith, John|Doe, Ann"),
        ("Smith, J.; Doe, A.; and Roe, R.", "Smith, J.|Doe, A.|Roe, R."),
        ("Smith, John, Doe, Ann Marie", "Smith, John|Doe, Ann Marie"),
        ("Smith, JR, Doe, A. B.", "Smith, JR|Doe, A. B."),
        ("Smith, J., Doe, A. and Roe, B.", "Smith, J.|Doe, A.|Roe, B."),
        ("Ada Lovelace, Grace Hopper & Alan Turing", "Ada Lovelace|Grace Hopper|Alan Turing"),
        ("m stonebraker , l rowe , m hirohama", "m stonebraker|l rowe|m hirohama"),
        ("van der Berg, Jan Piet", "van der Berg, Jan Piet"),
        ("King, Martin Luther, Jr.", "King, Martin Luther Jr."),
        ("J. Smith, Plato, A. Doe", "J. Smith|Plato|A. Doe"),
        ("Smith J, Doe AB", "Smith J|Doe AB"),
        ("王小明, 李四", "王小明|李四"),
        ("Smith, John and others", "Smith, John"),
        ("A. Smith, B. Doe et al.", "A. Smith|B. Doe"),
        ("  ", ""),
    ],
)
def test_every_way_to_list_names(text: str, names: str) -> None:
    """Semicolons before "and", "and" before commas; a comma within a name is distinguished from one between names."""
    assert "|".join(split_authors(text)) == names
