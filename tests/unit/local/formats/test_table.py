"""The table: the same facts at every width, for every output."""

import pytest
from goldpan_local.formats.table import render_compact, render_table
from rich.cells import cell_len

from tests.support.local import ANSWER, HOSTILE, answer

AT_80_COLUMNS = """\
React animation

 #  Repository                           Stars  Language    Relevance    Overall
────────────────────────────────────────────────────────────────────────────────
 1  motion/react-motion                  21.5k  TypeScript  0.92 █████▌      7.4
    Springs for *React*.
    maturity 9.8     activity 3.1  docs 7.0  community 6.5  ease 6.0
    maintenance 4.2
    why It animates with springs.
    ! No push for 11 months.

 2  glide/glide                              -  -           0.40 ██▍           -
    maturity -  activity -  docs -  community -  ease -  maintenance -
    why Matches “animation” in the name.

github ok: 40 by stars, recency
github rate limited: expanded; no searches left; try again at 03:05:00 UTC
! One strategy failed.
! expanded failed
2 shown of 2 that fit and 1,057 found, 1.2 s, 3 language model calls, 1,600
tokens, $0.0012
"""


@pytest.fixture(autouse=True)
def _width_80(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def result(**changes: object) -> dict[str, object]:
    """Make a section whose only result has these fields changed."""
    section = ANSWER["repositories"]
    return {**section, "results": [{**section["results"][0], **changes}]}


def test_the_whole_table() -> None:
    """Every fact of the answer has its place; one without results says so, and has the footer."""
    assert render_table(answer()) == AT_80_COLUMNS
    lines = render_table(answer(repositories=None, sources=[], warnings=[], errors=[], usage={})).splitlines()
    assert lines[2:] == ["Nothing found. Try fewer or different words.", "", "1.2 s, no language model calls"]


def test_the_compact_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each result, with what fits of its description; titles take what they need, at most 70%."""
    monkeypatch.setenv("COLUMNS", "66")
    assert render_compact(answer()).splitlines()[2:4] == [
        " 1  motion/react-motion  21.5k  TypeScript        0.92  ! Springs…",
        " 2  glide/glide              -  -                 0.40",
    ]
    monkeypatch.setenv("COLUMNS", "40")
    assert render_compact(answer()).splitlines()[2:4] == [
        " 1  motion/re…  21.5k        0.92  ! Sp…",
        " 2  glide/gli…      -        0.40",
    ]


@pytest.mark.parametrize("width", [20, 40, 63, 64, 109, 110, 139, 140, 160, 200])
def test_no_width_loses_a_fact(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """No line exceeds the terminal, 40 cells at least and 160 at most; what has no column is listed below."""
    monkeypatch.setenv("COLUMNS", str(width))
    lines = render_table(answer()).splitlines()
    assert max(cell_len(line) for line in lines) <= max(40, min(width, 160))
    assert [name in lines[2] for name in ("Overall", "Maturity")] == [width >= 64, width >= 140]
    words = " ".join(lines).split()
    facts = "motion/react-motion 21.5k TypeScript 0.92 7.4 Springs 9.8 3.1 7.0 6.5 6.0 4.2 springs. push"
    assert not [fact for fact in facts.split() if fact not in words]


@pytest.mark.parametrize("width", [40, 80, 140])
def test_a_long_name_is_not_cut(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """It has a line of its own, so that it can be copied, and its numbers follow on the next line."""
    monkeypatch.setenv("COLUMNS", str(width))
    name = f"an-owner/{'n' * (width - 14)}"
    lines = render_table(answer(repositories=result(repo=name))).splitlines()
    place = lines.index(f" 1  {name}")
    assert lines[place + 1].split()[0] == "21.5k"


def test_a_terminal_gets_colours_and_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 70% of its maximum a value is green, from 40% yellow, else red; NO_COLOR and pipes get plain text."""
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b" not in render_table(answer())
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = render_table(answer())
    wanted = ("\x1b[1;33m!", "\x1b[32m7.0", "\x1b[33m6.5", "\x1b[1;33m██", "\x1b[31m3.1")
    assert [text for text in (*wanted, "https://github.com/motion/react-motion\x1b\\") if text not in shown] == []
    assert "javascript:" not in shown
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in render_table(answer())


def test_external_text_is_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup is printed as written; terminal commands are removed, also where colours are on."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    row = {"kind": "repositories", "strategy": HOSTILE, "source": "github", "status": "ok", "detail": HOSTILE}
    section = result(repo=HOSTILE, description=HOSTILE, language=HOSTILE, reasoning=HOSTILE, caveats=[HOSTILE])
    shown = render_table(answer(query=HOSTILE, repositories=section, sources=[row], warnings=[HOSTILE]))
    assert "[red]x[/red]<script>" in shown
    assert "\x1b[31m<script>" not in shown
    assert "evil.example" not in shown
