"""The structure and the excerpt of a README."""

from typing import Any

import pytest
from goldpan.kinds.repositories.models import ReadmeOutline
from goldpan.kinds.repositories.readme import excerpt, outline

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
    """Headings, code, links, images and sections, also of reStructuredText; the excerpt has no badges and tags."""
    assert outline(MARKDOWN) == ReadmeOutline(
        characters=328, headings=4, code_blocks=1, links=3, images=2, sections=("usage", "api", "license")
    )
    assert excerpt(MARKDOWN, 76) == "# Motion Animates React components. ## Getting started ```sh npm install mot"
    assert excerpt(None, 76) is None
    assert outline(" \n\t\n ") == ReadmeOutline(characters=0, headings=0, code_blocks=0, links=0, images=0)
    shown = outline(RESTRUCTURED)
    assert (shown.headings, shown.code_blocks, shown.sections) == (3, 1, ("install", "usage"))
    assert outline("```\nx\n```\n~~~\ny\n~~~\n").code_blocks == outline("<pre>x</pre>" * 2).code_blocks == 2


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("# A\n```sh\n# install\n```\n````\n```\n# usage\n````\n# B", (2, 2, 0, 0, ())),
        ("[a](https://a.example) [b](https://b.example) ![c](https://c.example)", (0, 0, 2, 1, ())),
        ('<a href="https://a.example">https://a.example</a> https://b.example', (0, 0, 2, 0, ())),
        (".. code-block:: sh\n\n   # a\n\n   b\n\nText.\n" * 3, (0, 3, 0, 0, ())),
        (
            '<h1 align="center"><img src="docs.png">A</h1>\n<h2><a id="x"></a>Installation</h2>',
            (2, 0, 0, 1, ("install",)),
        ),
        ("= A\n\n== Installation\n\n[source,sh]\n----\n# usage\n----\n", (2, 1, 0, 0, ("install",))),
    ],
)
def test_each_thing_is_counted_once(text: str, figures: tuple[Any, ...]) -> None:
    """Headings, blocks of code, links, images and sections: nothing in code, and an address with its link."""
    found = outline(text)
    assert (found.headings, found.code_blocks, found.links, found.images, found.sections) == figures


def test_a_section_is_known_by_the_words_of_its_heading() -> None:
    """Sections go by many names."""
    names = {"Set up": "install", "Quick start": "usage", "Recipes": "examples", "Options": "api", "User guide": "docs"}
    names |= {"Contributing": "contributing", "Licence": "license"}
    found = {heading: outline(f"# {heading}\n").sections for heading in names}
    assert found == {heading: (section,) for heading, section in names.items()}
    assert outline("# Capital gains\n").sections == ()


@pytest.mark.parametrize(
    "text", ["[", "![", "<!--", "<", "#", "\n", "[![", "`", " ", "x", "a\n---\n", "<pre>", "```\n", "<h1>", "<a "]
)
def test_a_long_readme_takes_no_quadratic_time_and_only_its_beginning_is_read(text: str) -> None:
    """One of brackets alone is read at once; of any, 100,000 characters for the outline, 20,000 for the excerpt."""
    assert outline(text * 300_000).characters <= 100_000
    assert len(excerpt(text * 300_000, 300_000) or "") <= 20_000
