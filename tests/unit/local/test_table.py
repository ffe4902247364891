"""The table shows the results at any width, with what speaks for and against them."""

from __future__ import annotations

import pytest
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan_local.bars import ASCII, bar, block
from goldpan_local.figures import file_size, short_count
from rich.cells import cell_len

from tests.unit.local.conftest import Run
from tests.unit.local.made import catalogue, records, use_runtime

QUESTION = "React animation library"


@pytest.mark.parametrize("width", [50, 80, 100, 120, 140])
def test_it_fits_the_width(run: Run, width: int) -> None:
    """No line is longer than the terminal is wide, and every result has its name, its reason and its scores."""
    result = run("search", QUESTION, "--source", "catalogue", env={"COLUMNS": str(width)})
    lines = result.stdout.splitlines()
    assert max(cell_len(line) for line in lines) <= width
    assert sum(line.lstrip().startswith("why Matches") for line in lines) == 10
    assert sum(line.lstrip().startswith("maturity") for line in lines) == 10


@pytest.mark.parametrize("width", [80, 140])
def test_it_shows_bars_caveats_and_where_it_comes_from(run: Run, width: int) -> None:
    """Relevance and scores are drawn; the caveats, the sources, the notice of the sample and the cost are told."""
    shown = run("search", QUESTION, "--source", "catalogue", env={"COLUMNS": str(width)}).stdout
    unwrapped = " ".join(shown.split())
    for text in (
        "motiondivision/motion",
        "TypeScript",
        "█",
        "maturity ▇",
        "Stars",
        "Relevance",
        "Overall",
        "· unknown",
        "! Its stars were counted on",
        "catalogue ok:",
        "Answered from the embedded sample catalogue of",
        "! No language model is configured",
        "no language model calls",
    ):
        assert text in unwrapped


def test_a_wide_terminal_shows_numbers_beside_the_blocks(run: Run) -> None:
    """Names and numbers of the dimensions come with the room for them."""
    narrow, wide = (
        run("search", QUESTION, "--source", "catalogue", env={"COLUMNS": width}).stdout for width in ("80", "140")
    )
    assert "docs ·" in narrow
    assert "documentation ·" in wide
    assert "maturity ▇ 8.2" in wide
    assert "maturity ▇ 8.2" not in narrow


def test_a_name_longer_than_its_column_is_not_cut(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long name stays whole, so that it can be copied; its facts follow on the next line."""
    name = "an-owner-with-a-long-name/react-animation-library-with-a-long-name"
    first = records()[0].model_copy(update={"full_name": name})
    use_runtime(monkeypatch, Catalogue.in_memory([first], title="t"))
    lines = run("search", QUESTION, env={"COLUMNS": "80"}).stdout.splitlines()
    place = lines.index(f" 1  {name}")
    assert "21.0k" in lines[place + 1]


@pytest.mark.parametrize(
    ("env", "colours", "links"),
    [({"FORCE_COLOR": "1"}, True, True), ({"NO_COLOR": "1"}, False, False), ({}, False, False)],
)
def test_colours_and_links_are_for_terminals(
    run: Run, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], *, colours: bool, links: bool
) -> None:
    """A terminal gets colours and hyperlinks; NO_COLOR and pipes get plain text."""
    use_runtime(monkeypatch, catalogue())
    shown = run("search", QUESTION, "-q", env={"TERM": "xterm-256color", **env}).stdout
    assert ("\x1b[32m" in shown) is colours
    assert ("https://github.com/motion/react-motion\x1b\\" in shown) is links


def test_blocks_grow_with_the_value() -> None:
    """A bar and a block show the value; an unknown one is a dot, never an empty bar."""
    assert [bar(share, 4).plain for share in (0, 0.5, 1)] == ["    ", "██  ", "████"]
    assert [block(value).plain for value in (None, 0, 5, 10)] == ["·", "▁", "▅", "█"]
    assert "▁▅█·".translate(ASCII).isascii()


@pytest.mark.parametrize(
    ("count", "written"),
    [
        (None, "-"),
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (12_345, "12.3k"),
        (99_949, "99.9k"),
        (99_950, "100k"),
        (999_949, "1000k"),
        (999_950, "1.0M"),
        (1_234_567, "1.2M"),
    ],
)
def test_counts_are_short(count: int | None, written: str) -> None:
    """A count takes at most five characters."""
    assert short_count(count) == written
    assert len(written) <= 5


def test_file_sizes_are_readable() -> None:
    """A size has its unit."""
    assert [file_size(count) for count in (12, 1_200, 26_100_000)] == ["12 bytes", "1.2 kB", "26.1 MB"]
