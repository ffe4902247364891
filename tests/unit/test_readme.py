"""What a README shows: its structure, and an excerpt without its noise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from goldpan.kinds.repositories.readme import MAX_READ, excerpt, outline
from hypothesis import given, settings
from hypothesis import strategies as st

MARKDOWN = """# Motion

[![CI](https://example.org/ci.svg)](https://example.org/ci) ![logo](logo.png)

<!-- nobody should
read this --> <p align="center">Animates <b>React</b> components.</p>

## Getting started

```sh
npm install motion
```

### API reference

See the [documentation](https://example.org/docs).

## License
"""
RESTRUCTURED = """Motion
======

Animates components.

Installation
------------

.. code-block:: sh

   pip install motion

Usage
~~~~~
"""


def test_markdown_is_measured() -> None:
    """Headings, code, images and the sections that the headings name are counted."""
    shown = outline(MARKDOWN)
    assert (shown.headings, shown.code_blocks, shown.images) == (4, 1, 2)
    assert shown.sections == ("usage", "api", "license")
    assert shown.links > 0
    assert shown.characters == len(MARKDOWN.strip())


def test_restructured_text_is_measured() -> None:
    """Underlined headings count like those of Markdown, and so does a code directive."""
    shown = outline(RESTRUCTURED)
    assert (shown.headings, shown.code_blocks) == (3, 1)
    assert shown.sections == ("install", "usage")


@pytest.mark.parametrize("text", ["", " \n\t\n "])
def test_an_empty_readme_shows_nothing(text: str) -> None:
    """Blank is not missing: its structure is known, and is nothing."""
    shown = outline(text)
    assert (shown.characters, shown.headings, shown.code_blocks, shown.links, shown.images) == (0, 0, 0, 0, 0)
    assert shown.sections == ()
    assert excerpt(text, 500) == ""


def test_an_excerpt_is_prose() -> None:
    """Badges, images, tags and comments are left out; the words between them stay."""
    found = excerpt(MARKDOWN, 500)
    assert found is not None
    assert found.startswith("# Motion Animates React components. ## Getting started")
    assert "nobody should" not in found
    assert "svg" not in found
    assert "<" not in found


@settings(max_examples=100, deadline=None)
@given(st.none() | st.text(max_size=600), st.integers(0, 300))
def test_an_excerpt_is_as_long_as_was_asked(text: str | None, length: int) -> None:
    """At most so many characters, none of them a line break; what is unknown stays unknown."""
    found = excerpt(text, length)
    assert (found is None) == (text is None)
    assert found is None or (len(found) <= length and "\n" not in found)


@settings(max_examples=100, deadline=None)
@given(st.text("#=-~`![]()<>a \n.:/", max_size=400))
def test_any_text_is_measured(text: str) -> None:
    """Whatever the signs, there is an outline with counts that the text can hold."""
    shown = outline(text)
    assert 0 <= shown.headings <= len(text)
    assert 0 <= shown.code_blocks <= len(text)


def test_only_the_beginning_of_a_huge_readme_is_read() -> None:
    """Of 300 KB so much is looked at as the documents say."""
    huge = "# Motion\n" + "It animates components. " * 12_500
    assert len(huge) >= 300_000
    assert outline(huge).characters <= MAX_READ
    assert excerpt(huge + "end", 400_000) == excerpt(huge, 400_000)


HOSTILE = """
from goldpan.kinds.repositories.readme import excerpt, outline
for text in ("[" * 300_000, "![" * 150_000, "<!--" * 75_000, "<" * 300_000, "#" * 300_000, "\\n" * 300_000,
             "a\\n---" + "\\n" * 300_000, "[![" * 100_000, "`" * 300_000, " " * 300_000, "x" * 300_000):
    outline(text), excerpt(text, 500)
print("read")
"""


def test_no_readme_hangs_the_reader() -> None:
    """A stranger's README made of opening signs alone is read, instead of holding the whole process for minutes."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", HOSTILE], env=environment, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == "read\n", done.stderr
