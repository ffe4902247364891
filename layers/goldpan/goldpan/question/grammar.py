"""The cues of a question: the patterns of cues.toml, and of that of a kind, compiled once a process."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from operator import methodcaller
from pathlib import Path
from typing import Any

from goldpan.question.question_text import QuestionText

CUES = Path(__file__).with_name("cues.toml")
_BANG = re.compile(r"(?<!\S)!=?\s*(?=\w)")
_PART = re.compile(r"\{([a-z_]+)\}")


@cache
def tables(file: Path = CUES) -> dict[str, Any]:
    """Read a file of tables, once a process."""
    return tomllib.loads(file.read_text("utf-8"))


@cache
def pattern(section: str, name: str, things: str = "", file: Path = CUES) -> re.Pattern[str]:
    """Return a pattern of a section, without regard to case; `things` takes the place of `{things}` in it.

    `{name}` stands for another text of the section, or for one before the first section of the file.
    """
    listed = tables(file)
    lists = {name: "|".join(cue.strip().splitlines()) for name, cue in listed.get("cues", {}).items()}
    parts: dict[str, str] = listed | lists | listed[section] | {"things": things}
    text = parts[name]
    while _PART.search(text):
        text = _PART.sub(lambda match: parts[match[1]], text)
    return re.compile(text.replace("\n", "").replace(" ", r"\s+"), re.IGNORECASE)


@cache
def patterns(section: str, file: Path = CUES) -> dict[str, re.Pattern[str]]:
    """Return all patterns of a section, in order."""
    return {name: pattern(section, name, file=file) for name in tables(file)[section]}


def matches(section: str, text: str, file: Path = CUES) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield what each pattern of a section matches in a text, with the name of the pattern."""
    for name, one in patterns(section, file).items():
        for match in one.finditer(text):
            yield name, match


@cache
def cues(name: str) -> re.Pattern[str]:
    """Return the pattern of a list of cues, the longest first, so that "other than" is not read as "other"."""
    lines = (line.replace(" ", r"\s+") for line in tables()["cues"][name].strip().splitlines())
    return _whole(sorted(lines, key=len, reverse=True), r":?\s*")


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of lower-case words."""
    return frozenset(tables()["words"][name].split())


def any_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern that matches any of the texts as whole words, the longest first, without regard to case."""
    listed = sorted((" ".join(text.split()) for text in texts if text.strip()), key=len, reverse=True)
    return _whole(re.escape(text).replace(r"\ ", r"\s+") for text in listed)


def _whole(choices: Iterable[str], then: str = "") -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(choices)})(?![\w-]){then}", re.IGNORECASE)


def in_full(source: QuestionText) -> QuestionText:
    """Write out the cues of a text that are typed in a hurry or apart: "dont", "!2012", "leave X out"."""
    listed: dict[str, str] = tables()["abbreviations"]
    source = source.substitute(_BANG, lambda _: "excluding ")
    source = source.substitute(any_of(listed), lambda match: listed[match[0].lower()])
    source = source.substitute(pattern("order", "parted"), methodcaller("expand", r"without \2"))
    return source.substitute(pattern("order", "bracketed"), methodcaller("expand", r"\1 "))
