"""The known concepts of research: their equivalents and their field (vocabulary.toml)."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

from goldpan.kinds.papers.models import Domain
from goldpan.text import Phrase, phrase, words

MAX_PHRASE_WORDS = 6
MIN_ACRONYM = 3
"""A shorter acronym means too many things to be searched for where it was not typed."""
CAPITALS_ONLY = frozenset(
    "AR ASD CBT CMB CSR CoT DP FEM FL IR KG LIME LoRA MOF MoE NAS RAG SDE SEM SLA SLAM SME TB XRD".split()  # noqa: SIM905
)
"""Acronyms that are other words in lower case, or too short to be sure."""


@dataclass(frozen=True)
class Entry:
    """A known concept."""

    name: str
    equivalents: tuple[str, ...]
    domain: Domain
    is_method: bool


@dataclass(frozen=True)
class Vocabulary:
    """All known concepts by the stems of each wording, and the single words that they are made of."""

    entries: dict[Phrase, Entry]
    words: frozenset[str]

    def find(self, text: str) -> Entry | None:
        """Return the concept that a wording stands for, as typed: some acronyms count in capitals only."""
        entry = self.entries.get(phrase(text))
        if entry and text.islower() and any(one.lower() == text and one in CAPITALS_ONLY for one in entry.equivalents):
            return None
        return entry


@cache
def vocabulary() -> Vocabulary:
    """Return the table; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text("utf-8"))
    entries: dict[Phrase, Entry] = {}
    domains: tuple[Domain, ...] = get_args(Domain)
    for domain in domains:
        for part in ("concepts", "methods"):
            for entry in _entries(tables[domain][part], domain, is_method=part == "methods"):
                for text in (entry.name, *entry.equivalents):
                    entries.setdefault(phrase(text), entry)
    listed = {word for entry in entries.values() for text in (entry.name, *entry.equivalents) for word in words(text)}
    return Vocabulary(entries, frozenset(listed))


def _entries(text: str, domain: Domain, *, is_method: bool) -> Iterator[Entry]:
    for line in text.strip().splitlines():
        name, _, equivalents = line.partition("=")
        for one in [name.strip()] if equivalents else _listed(line):
            yield Entry(one, _listed(equivalents), domain, is_method)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())
