"""External text is shown as text: it colours nothing, links nothing, and opens no tag."""

from typing import get_args

import pytest
from goldpan.escaping import csv_text, escape_markdown, plain, web_address
from goldpan.kinds.papers.models import Paper, PaperVersion
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.results import RankedRepository
from markdown_it import MarkdownIt
from pydantic import BaseModel, create_model

from tests.support.local import HOSTILE


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE, "# heading", "- item", "1. item", "2) x", "> quote", "```\ncode", "    code", "***", "===", "+ x",
        "![x](https://evil.example/x.png)", "<img src=x onerror=y>", "[x]: https://evil.example", "<!-- c -->",
        "<https://evil.example>", "&lt;script&gt;", "line\n\n# heading", "\\[x](y)", "__b__ *c* ~~d~~ `a` $e$",
        "| a | b |",
    ],
)  # fmt: skip
def test_escaped_text_is_one_paragraph_that_reads_as_written(text: str) -> None:
    """A Markdown reader sees a plain paragraph whose text is the given one."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(escape_markdown(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children or []} <= {"text", "text_special"}
    assert "".join(child.content for child in tokens[1].children or []) == plain(text)


def test_a_colon_starts_no_definition() -> None:
    """Pandoc has definition lists, which the parser of the other test has not."""
    assert escape_markdown(": x") == r"\: x"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (None, ""),
        ("a\tb\r\nc", "a b c"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("ends\x1b", "ends"),
        ("abc\u202edef\u2066", "abcdef"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("👩\u200d💻 क्\u200cष", "👩\u200d💻 क्\u200cष"),
        ("back\x08space\x7f", "back space"),
    ],
)
def test_plain_text_is_one_visible_line(text: str | None, shown: str) -> None:
    """Terminal commands, control characters and direction marks are removed; joiners of emoji and scripts stay."""
    assert plain(text) == shown


IGNORABLE = [
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u2065\u3164\ufeff\uffa0",
    *(chr(sign) for first, end in ((0x180B, 0x1810), (0x200B, 0x2010), (0x202A, 0x202F)) for sign in range(first, end)),
    *(chr(sign) for first, end in ((0x2060, 0x2070), (0xFE00, 0xFE10), (0xFFF0, 0xFFF9)) for sign in range(first, end)),
    *(chr(sign) for first, end in ((0x1D173, 0x1D17B), (0xE0000, 0xE1000)) for sign in range(first, end)),
]
"""Unicode's Default_Ignorable_Code_Point: what has no shape."""


def test_no_sign_without_a_shape_splits_a_word() -> None:
    """Neither alone nor many of them, which could hold a message; an emoji keeps its variation and its joiner."""
    assert [ascii(sign) for sign in IGNORABLE if plain(f"pi{sign}ck {sign * 9}this") != "pick this"] == []
    assert plain("\u2764\ufe0f\u200d\U0001f525\ufe0f\ufe0f\u200d\u200d \u0645\u06cc\u200c\u062e") == (
        "\u2764\ufe0f\u200d\U0001f525\ufe0f \u0645\u06cc\u200c\u062e"
    )


@pytest.mark.parametrize("model", [Paper, PaperVersion, RankedPaper, LibraryPaper, Repository, RankedRepository])
@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", " \x01JavaScript:x", "java\nscript:x", "data:text/html,x", "file:///x"]
)
def test_only_addresses_of_the_web_are_kept_in_values(model: type[BaseModel], address: str) -> None:
    """So that none is in JSON either, wherever it came from."""
    fields = {name: field for name, field in model.model_fields.items() if "url" in name or name == "homepage"}
    links = {name: field for name, field in fields.items() if type(None) in get_args(field.annotation)}
    assert links
    for field in links.values():
        one = create_model("One", link=field.rebuild_annotation())
        assert one(link=address).model_dump()["link"] is None
        assert one(link="https://a.example/(b)").model_dump()["link"] == "https://a.example/(b)"


def test_only_plain_web_addresses_become_links() -> None:
    """An address that is not http or https, or that could end its link early, is no link."""
    good = ["https://github.com/a/b", "http://ghe.example:8080/a/b?q=1#x"]
    bad = [f"https://x.example/{end}" for end in ("a b", "\x1b\\", ">", "a)", "\u202ea")]
    bad += ["javascript:alert(1)", "https://github.com@evil.example/a"]
    assert [web_address(each) for each in (*good, *bad, None)] == good + [None] * (len(bad) + 1)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_cell_is_a_formula(sign: str) -> None:
    """Neither with signs in full width, nor after what is invisible."""
    for before in ("", "\t", "\r\n", "\u200b", "\u202e "):
        assert csv_text(f"{before}{sign}HYPERLINK(1)") == f"'{sign}HYPERLINK(1)"
