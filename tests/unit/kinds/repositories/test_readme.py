"""The structure and the excerpt of a README."""

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
        characters=328, headings=4, code_blocks=1, links=5, images=2, sections=("usage", "api", "license")
    )
    assert excerpt(MARKDOWN, 76) == "# Motion Animates React components. ## Getting started ```sh npm install mot"
    assert excerpt(None, 76) is None
    assert outline(" \n\t\n ") == ReadmeOutline(characters=0, headings=0, code_blocks=0, links=0, images=0)
    shown = outline(RESTRUCTURED)
    assert (shown.headings, shown.code_blocks, shown.sections) == (3, 1, ("install", "usage"))
    assert outline("```\nx\n```\n~~~\ny\n~~~\n").code_blocks == outline("<pre>" * 3).code_blocks == 2


def test_a_section_is_known_by_the_words_of_its_heading() -> None:
    """Sections go by many names."""
    names = {"Set up": "install", "Quick start": "usage", "Recipes": "examples", "Options": "api", "User guide": "docs"}
    names |= {"Contributing": "contributing", "Licence": "license"}
    found = {heading: outline(f"# {heading}\n").sections for heading in names}
    assert found == {heading: (section,) for heading, section in names.items()}
    assert outline("# Capital gains\n").sections == ()


@pytest.mark.parametrize("text", ["[", "![", "<!--", "<", "#", "\n", "[![", "`", " ", "x", "a\n---\n"])
def test_a_long_readme_takes_no_quadratic_time_and_only_its_beginning_is_read(text: str) -> None:
    """One of brackets alone is read at once; of any, 100,000 characters for the outline, 20,000 for the excerpt."""
    assert outline(text * 300_000).characters <= 100_000
    assert len(excerpt(text * 300_000, 300_000) or "") <= 20_000
