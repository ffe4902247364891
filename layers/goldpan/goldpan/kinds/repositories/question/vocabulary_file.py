"""Read vocabulary.toml, which explains its tables itself."""

from __future__ import annotations

import tomllib
from pathlib import Path

from goldpan.kinds.repositories.question.vocabulary import Platform, Vocabulary
from goldpan.text import Phrase, phrase, words

MIN_DISTINCTIVE_CHARS = 3
SYNONYM_DECAY = 0.3
"""A synonym weighs 1 / (1 + 0.3 x the sum of both places in their group, counted from 0)."""


def load_vocabulary() -> Vocabulary:
    """Read the file."""
    tables = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text("utf-8"))
    aliases: dict[str, str] = tables["aliases"]
    platforms = {name: _platform(name, row, aliases) for name, row in tables["platforms"].items()}
    by_name = {tuple(words(name)): platform for name, platform in platforms.items()}
    by_name |= {tuple(words(alias)): platforms[name] for alias, name in aliases.items()}
    synonyms: dict[Phrase, dict[Phrase, float]] = {}
    spelling: dict[Phrase, str] = {}
    for group in tables["synonyms"]["groups"]:
        _add_synonyms(group, SYNONYM_DECAY, synonyms, spelling)
    for group in tables["equivalents"]["groups"]:
        _add_synonyms(group, 0.0, synonyms, spelling)
    return Vocabulary(
        platforms=platforms,
        platforms_by_name=by_name,
        generic=_phrases(tables["generic"]["words"]),
        synonyms=synonyms,
        spelling=spelling,
        non_software=tuple(_phrases(group) for group in tables["non_software"]["groups"]),
    )


def _platform(name: str, row: dict[str, object], aliases: dict[str, str]) -> Platform:
    def listed(key: str) -> list[str]:
        value = row.get(key, [])
        return [str(item) for item in value] if isinstance(value, list) else []

    language_filter, family = row.get("language_filter"), row.get("family")
    names = (name, *(alias for alias, platform in aliases.items() if platform == name))
    return Platform(
        name=name,
        words=_phrases([name, *listed("words")]),
        languages=frozenset(listed("languages")),
        compatible_languages=frozenset(listed("compatible_languages") or listed("languages")),
        longer_names=_phrases(listed("longer_names")),
        family=str(family) if family else None,
        language_filter=str(language_filter) if language_filter else None,
        search_languages=tuple(listed("search_languages")),
        alternative_names=tuple(listed("alternative_names")),
        distinctive_names=_phrases([spelled for spelled in names if len(spelled) >= MIN_DISTINCTIVE_CHARS]),
    )


def _phrases(texts: list[str]) -> frozenset[Phrase]:
    return frozenset(phrase(text) for text in texts)


def _add_synonyms(
    group: list[str], decay: float, synonyms: dict[Phrase, dict[Phrase, float]], spelling: dict[Phrase, str]
) -> None:
    """Make each member of a group a synonym of the others; of several groups the highest weight counts."""
    phrases = [phrase(member) for member in group]
    for i, one in enumerate(phrases):
        spelling.setdefault(one, group[i])
        for j, other in enumerate(phrases):
            if one != other:
                weights = synonyms.setdefault(one, {})
                weights[other] = max(1 / (1 + decay * (i + j)), weights.get(other, 0.0))
