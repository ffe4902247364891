"""The cues of a question: the patterns of cues.toml, and of that of a kind, compiled once a process."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from goldpan.question.question_text import QuestionText

BEFORE = ("refuses_next", "refuses_names", "may_refuse", "doubtful_next")
"""The cues that stand before what they refuse."""
CUES = Path(__file__).with_name("cues.toml")
_PART = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class Grammar:
    """The cues of negation, and the words around them."""

    refuses_next: re.Pattern[str]
    refuses_previous: re.Pattern[str]
    refuses_previous_name: re.Pattern[str]
    refuses_names: re.Pattern[str]
    may_refuse: re.Pattern[str]
    doubtful_next: re.Pattern[str]
    between: re.Pattern[str]
    """Any number of words between a cue and the thing that it refuses."""
    harmless_next: re.Pattern[str]
    clear_of_doubt: re.Pattern[str]
    manner: frozenset[str]
    trailing: frozenset[str]
    ends_thing: frozenset[str]
    negative_words: frozenset[str]
    cue_words: frozenset[str]
    """The words of cues to which a typo is corrected."""


@cache
def _tables(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


@cache
def pattern(section: str, name: str, things: str = "", file: Path = CUES) -> re.Pattern[str]:
    """Return a pattern of a section, without regard to case; `things` takes the place of `{things}` in it.

    `{name}` stands for another text of the section, or for one before the first section of the file.
    """
    tables = _tables(file)
    parts: dict[str, str] = tables | tables[section]
    text = parts[name]
    while "{" in (text := text.replace("{things}", things)) and (found := _PART.search(text)):
        text = _PART.sub(lambda match: parts[match[1]], text) if found else text
    return re.compile(text.replace("\n", "").replace(" ", r"\s+"), re.IGNORECASE)


@cache
def patterns(section: str, file: Path = CUES) -> dict[str, re.Pattern[str]]:
    """Return all patterns of a section, in order."""
    return {name: pattern(section, name, file=file) for name in _tables(file)[section]}


def matches(section: str, text: str, file: Path = CUES) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield what each pattern of a section matches in a text, with the name of the pattern."""
    for name, one in patterns(section, file).items():
        for match in one.finditer(text):
            yield name, match


@cache
def grammar() -> Grammar:
    """Return the cues of negation; reads the file once a process."""
    tables = _tables(CUES)
    between = _choice(tables["between"])
    before = {name: rf"(?<![\w-])(?:{_choice(tables[name])})(?![\w-]):?\s*" for name in BEFORE}
    return Grammar(
        **{
            name: re.compile(rf"[\s,?(:]*(?<![\w-])(?:{_choice(tables[name])})(?![\w-])", re.IGNORECASE)
            for name in ("refuses_previous", "refuses_previous_name")
        },
        **{name: re.compile(pattern, re.IGNORECASE) for name, pattern in before.items()},
        between=re.compile(rf"(?:(?:{between})(?![\w-])\s*)*", re.IGNORECASE),
        clear_of_doubt=re.compile(rf"(?<![\w-])(?:{_choice(tables['clear_of_doubt'])})(?![\w-])", re.IGNORECASE),
        harmless_next=re.compile(rf"(?:{''.join(tables['harmless_next'].split())})(?![\w])", re.IGNORECASE),
        manner=frozenset(tables["manner"].split()),
        trailing=frozenset(tables["trailing"].split()),
        ends_thing=frozenset(tables["ends_thing"].split()),
        negative_words=frozenset(tables["negative_words"].split()),
        cue_words=frozenset(tables["cue_words"].split()),
    )


@cache
def doubt_words(name: str) -> frozenset[str]:
    """Return a list of words that decide whether a limit is doubtful."""
    return frozenset(_tables(CUES)["doubt"][name].split())


def _choice(patterns: str) -> str:
    """Join patterns, the longest first, so that "other than" is not read as "other"."""
    return "|".join(
        sorted((line.strip().replace(" ", r"\s+") for line in patterns.strip().splitlines()), key=len, reverse=True)
    )


def any_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern that matches any of the texts as whole words, the longest first, without regard to case."""
    listed = sorted((" ".join(text.split()) for text in texts if text.strip()), key=len, reverse=True)
    either = "|".join(re.escape(text).replace(r"\ ", r"\s+") for text in listed)
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)


@cache
def _abbreviations() -> tuple[re.Pattern[str], dict[str, str]]:
    table: dict[str, str] = _tables(CUES)["abbreviations"]
    full = {one.replace("[.]", "."): meant for meant, text in table.items() for one in text.split("|")}
    return re.compile(rf"(?<![\w'-])(?:{'|'.join(table.values())})(?![\w'-])", re.IGNORECASE), full


def in_full(source: QuestionText) -> QuestionText:
    """Write out the cues of a text that are typed in a hurry: "dont", "w/out"."""
    pattern, full = _abbreviations()
    return source.substitute(pattern, lambda match: full[match[0].lower()])
