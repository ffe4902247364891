"""The structure, the excerpt and the terms of a repository's text."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from typing import Any

import pytest
from goldpan.kinds.repositories.models import ReadmeOutline
from goldpan.kinds.repositories.repository_text import RepositoryText, excerpt, outline, text_of
from goldpan.text import phrase
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import repository

MARKDOWN = """# Motion

[![CI](https://example.org/ci.svg)](https://example.org/ci) ![logo](logo.png)

<!-- hidden
words --> <p align="center">Animates <b>React</b> components.</p>

## Getting started

```sh
npm install motion
```

### API reference

See the [documentation](https://example.org/docs) and [the site](docs/site.md).

## License
"""
RESTRUCTURED = "Motion\n======\n\nInstallation\n------------\n\n.. code-block:: sh\n\n   pip\n\nUsage\n~~~~~\n"


def test_markdown_is_measured() -> None:
    """Headings, code, links, images and sections are counted; the excerpt is prose without badges and tags."""
    assert outline(MARKDOWN) == ReadmeOutline(
        characters=328, headings=4, code_blocks=1, links=5, images=2, sections=("usage", "api", "license")
    )
    assert excerpt(MARKDOWN, 76) == "# Motion Animates React components. ## Getting started ```sh npm install mot"
    assert outline(" \n\t\n ") == ReadmeOutline(characters=0, headings=0, code_blocks=0, links=0, images=0)


def test_restructured_text_is_measured() -> None:
    """Underlined headings and code directives count like those of Markdown."""
    shown = outline(RESTRUCTURED)
    assert (shown.headings, shown.code_blocks, shown.sections) == (3, 1, ("install", "usage"))
    assert outline("```\nx\n```\n~~~\ny\n~~~\n").code_blocks == outline("<pre>" * 3).code_blocks == 2


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("Set up", "install"), ("Download", "install"), ("Quick start", "usage"), ("How to use it", "usage"),
        ("Demo", "examples"), ("Recipes", "examples"), ("Options", "api"), ("Contributing", "contributing"),
        ("Licence", "license"), ("User guide", "docs"), ("Docs", "docs"), ("Capital gains", None),
    ],
)  # fmt: skip
def test_a_section_is_known_by_the_words_of_its_heading(heading: str, section: str | None) -> None:
    """Sections go by many names."""
    assert outline(f"# {heading}\n").sections == ((section,) if section else ())


@settings(max_examples=100)
@given(st.none() | st.text(max_size=600), st.integers(0, 300))
def test_an_excerpt_is_no_longer_than_requested(text: str | None, length: int) -> None:
    """And on one line; that of an unknown README is unknown."""
    found = excerpt(text, length)
    assert (found is None) == (text is None)
    assert found is None or (len(found) <= length and "\n" not in found)


def test_only_the_beginning_of_a_long_readme_is_read() -> None:
    """100,000 characters for the outline, 20,000 for the excerpt."""
    assert outline("x" * 300_000).characters == 100_000
    assert len(excerpt("x" * 300_000, 300_000) or "") == 20_000


HOSTILE = """
from goldpan.kinds.repositories.repository_text import excerpt, outline, text_of
for text in ("[" * 300_000, "![" * 150_000, "<!--" * 75_000, "<" * 300_000, "#" * 300_000, "\\n" * 300_000,
             "a\\n---" + "\\n" * 300_000, "[![" * 100_000, "`" * 300_000, " " * 300_000, "x" * 300_000):
    outline(text), excerpt(text, 500)
print("read")
"""


def test_no_readme_takes_quadratic_time() -> None:
    """A README of opening brackets alone is read at once; with an unbounded pattern it would take many minutes."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", HOSTILE], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "read\n", done.stderr


def text(name: str = "an-owner/a-name", **facts: Any) -> RepositoryText:
    """Make the text of a repository."""
    return text_of(repository(name, **{"description": None, **facts}))


@pytest.mark.parametrize(
    ("found", "words", "fields"),
    [
        (text("motion/motion", description="motion", topics=("motion",), readme="motion"), "motion",
         ["name", "description", "topics", "readme", "owner"]),
        (text("a/react-animation"), "react animation", ["name"]),
        (text("a/reactAnimation"), "react animation", ["name"]),
        (text("a/React_Animation"), "react animation", ["name"]),
        (text(description="one two three four five"), "two three four five", ["description"]),
        (text(description="one two three four five"), "one two three four five", []),
        (text(description="one two three"), "one three", []),
        (text(readme="word " * 79 + "motion"), "motion", ["readme"]),
        (text(readme="word " * 80 + "motion"), "motion", []),
        (text(readme=" " * 1994 + "motion"), "motion", ["readme"]),
        (text(readme=" " * 1995 + "motion"), "motion", []),
    ],
)  # fmt: skip
def test_the_fields_with_a_phrase(found: RepositoryText, words: str, fields: list[str]) -> None:
    """A phrase has at most four words in a row; of a README the first 80 terms in 2000 characters count."""
    assert found.fields_with(phrase(words)) == fields
    assert found.contains_any({phrase(words), ("zzyzx",)}) == bool(fields)


def test_the_length_counts_different_terms() -> None:
    """Of the name and the description, or the README instead; 16 if there is neither."""
    assert text("a/motion", description="motion and motion for react").length == 4
    assert text("a/motion", description="a b", readme="c d e").length == 3
    assert text("a/motion", readme="c d e").length == 4
    assert text("a/motion", topics=("x", "y")).length == 16


def test_a_repository_describes_itself_by_name_or_description() -> None:
    """A word in a topic or in the README may be about something else."""
    examples = frozenset({phrase("example")})
    assert text("a/react-examples").describes_itself_as(examples)
    assert text(description="An example").describes_itself_as(examples)
    assert not text(topics=("example",), readme="For example").describes_itself_as(examples)


def test_a_name_within_a_longer_one_does_not_count() -> None:
    """As "React" in "React Native", unless it also occurs alone; topics name both anyway."""
    react, native = phrase("react"), [phrase("react native")]
    assert not text(description="For React Native", topics=("react",)).occurs_outside(react, native)
    assert text(description="For React Native and React").occurs_outside(react, native)
    assert text(description="For React", readme="React Native").occurs_outside(react, native)
    assert text(topics=("react", "react-native")).occurs_outside(react, native)


def test_a_text_takes_little_memory() -> None:
    """A server keeps hundreds of them: with 80 kB each, as much as everything else that it holds."""
    readme = " ".join(f"word{number}" for number in range(100))
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [text(f"an-owner/name-{number}", readme=f"{number} {readme}") for number in range(100)]
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert taken < 50_000 * len(kept)
