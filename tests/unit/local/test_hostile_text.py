"""Text from outside is shown as text: it colours nothing, links nothing, and opens no tag."""

from __future__ import annotations

import pytest
from goldpan_local.untrusted import markdown, plain, web_address
from markdown_it import MarkdownIt

from tests.unit.local.conftest import Run
from tests.unit.local.made import HOSTILE, catalogue, use_runtime

ATTEMPTS = (
    HOSTILE,
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "```\ncode",
    "    code",
    "***",
    "===",
    "---",
    "| a | b |",
    "![x](https://evil.example/x.png)",
    "<img src=x onerror=y>",
    "[x]: https://evil.example",
    "<https://evil.example>",
    "&lt;script&gt;",
    "line\n\n# heading",
    "\\[x](y)",
    "`a`",
    "__b__ *c* ~~d~~",
    "+ x",
    "2) x",
    "<!-- c -->",
)


@pytest.mark.parametrize("width", ["80", "140"])
def test_the_table_neutralises_it(run: Run, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    """Markup is printed as it is written, and terminal commands are gone, on a terminal too."""
    use_runtime(monkeypatch, catalogue(HOSTILE))
    result = run("search", "React animation library", env={"COLUMNS": width})
    assert "\x1b" not in result.stdout
    assert "[red]x[/red]<script>" in result.stdout
    coloured = run("search", "React animation library", env={"COLUMNS": width, "FORCE_COLOR": "1", "TERM": "xterm"})
    assert "\x1b[31m<script>" not in coloured.stdout
    assert "evil.example" not in coloured.stdout


def test_markdown_neutralises_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Markdown holds the two results and no structure that a description brought."""
    use_runtime(monkeypatch, catalogue(HOSTILE))
    shown = run("search", "React animation library", "--format", "markdown").stdout
    html = MarkdownIt("commonmark").render(shown)
    assert "\x1b" not in shown
    assert "<script" not in html
    assert html.count("<a ") == 2
    assert "[red]x[/red]&lt;script&gt;" in html


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_escaped_text_is_one_paragraph_that_reads_as_written(attempt: str) -> None:
    """A Markdown reader sees a plain paragraph, whose text is the given one."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown(attempt))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children or []} <= {"text", "text_special"}
    assert "".join(child.content for child in tokens[1].children or []) == plain(attempt)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (None, ""),
        ("a\tb\r\nc", "a b c"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("\x1bPq\x1b\\after", "after"),
        ("\x1b(0after", "after"),
        ("ends\x1b", "ends"),
        ("abc\u202edef\u2066", "abcdef"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("👩\u200d💻 क्\u200cष", "👩\u200d💻 क्\u200cष"),
        ("half \ud800", "half"),
        ("back\x08space\x7f", "back space"),
    ],
)
def test_plain_text_is_one_visible_line(text: str | None, shown: str) -> None:
    """Commands, controls and direction marks go; joiners of emoji and scripts stay."""
    assert plain(text) == shown


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://github.com/a/b", True),
        ("http://ghe.example:8080/a/b?q=1#x", True),
        ("javascript:alert(1)", False),
        ("https://x.example/a b", False),
        ("https://x.example/\x1b\\", False),
        ("https://x.example/>", False),
        ("data:text/html,x", False),
        ("https://github.com@evil.example/a", False),
        ("", False),
        (None, False),
        ("https://x.example/a)", False),
        ("https://x.example/\u202ea", False),
    ],
)
def test_only_plain_web_addresses_become_links(address: str | None, *, good: bool) -> None:
    """An address that is not http or https, or that could end its link early, is no link."""
    assert web_address(address) == (address if good else None)
