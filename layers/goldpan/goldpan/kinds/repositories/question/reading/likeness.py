"""Recognize what the results are to be like: "alternative to X", "X clone", "something like X"."""

from __future__ import annotations

import re

from goldpan.kinds.repositories.question.reading.names import is_name_like, name_before, names_from
from goldpan.kinds.repositories.question.reading.parts import Found
from goldpan.kinds.repositories.question.reading.wording import JOINER, platform_of, wording
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.text import phrase

_KIND = r"alternatives?|replacements?|substitutes?|equivalents?|successors?|competitors?|rivals?|counterparts?|clones?"
_FORWARD = re.compile(
    rf"(?<![\w-])(?:(?:{_KIND})\s+(?:to|for|of)|similar\s+to|comparable\s+to|akin\s+to|in\s+the\s+(?:style|spirit)\s+of"
    r"|inspired\s+by|in\s+place\s+of|(?P<weak>instead\s+of|rather\s+than)|migrat\w+\s+(?:away\s+)?from)\s+",
    re.IGNORECASE,
)
_BACKWARD = re.compile(rf"\s+(?:{_KIND})(?![\w-])(?P<to>\s+to\s)?", re.IGNORECASE)
_LIKE = re.compile(r"(?<![\w-])(?:(?P<before>[\w'\u2019-]+|[,;:])\s*)?(?<![\w-])like\s+", re.IGNORECASE)
_SUFFIX = re.compile(rf"(?<![\w-])(?P<name>[\w.+#{JOINER}-]+)-(?:like|style|inspired|esque)(?![\w-])", re.IGNORECASE)
_BUT = re.compile(rf"^\s*(?P<name>[\w.+#/{JOINER}-]+),?\s+but\s+(?!not\b)", re.IGNORECASE)
_NOT = re.compile(r"(?:\b(?:not|no|without)|n't)\s+(?:an?\s+|any\s+)?$", re.IGNORECASE)
"""Before what is left to the exclusions: "not Vim-like"."""
_ANYTHING = frozenset(
    [
        "something",
        "anything",
        "one",
        "ones",
        "software",
        "service",
        "alternative",
        "alternatives",
        "similar",
        "but",
        "just",
        "basically",
        "more",
        "kinda",
    ]
)
_NO_LIKENESS = frozenset(
    [
        "would",
        "i",
        "we",
        "you",
        "they",
        "people",
        "users",
        "really",
        "don't",
        "'d",
        "to",
        "also",
        "not",
        "should",
        "may",
        "might",
        "will",
    ]
)


def find_likenesses(text: str) -> list[Found]:
    """Find the names that the results are to be like; a language after "instead of" is left to the exclusions."""
    found: list[Found] = []
    for one in (*_before_kind(text), *_after_kind(text), *_after_like(text), *_with_suffix(text)):
        if all(one.end <= other.start or other.end <= one.start for other in found):
            found.append(one)
    return found


def _before_kind(text: str) -> list[Found]:
    found = []
    for match in _BACKWARD.finditer(text):
        name, start = name_before(text, match.start())
        language = platform_of(name) if name else None
        follows = re.match(r"\s+(?:for|of)\s", text[match.end() :])
        if not name or match["to"] or (language and follows):
            continue
        if "clone" in match[0].lower() and not _is_noun(name, text[match.end() :]):
            continue
        found.append(_found(start, match.end(), (name,)))
    return found


def _is_noun(name: str, after: str) -> bool:
    """Report whether "clone" after a name is a noun, unlike in "git clone and push"."""
    follows = re.match(
        r"\s*(?:$|[,.;:!?\u00a6)]|(?:in|with|for|using|written|built|made|that|but|app|based|on)\b)", after
    )
    return name.lower() != "git" and (is_name_like(name) or follows is not None)


def _after_kind(text: str) -> list[Found]:
    found = []
    for match in _FORWARD.finditer(text):
        names, end = names_from(text, match.end())
        if names and (not match["weak"] or (is_name_like(names[0]) and not _is_language(names[0]))):
            found.append(_found(match.start(), end, names))
    return found


def _after_like(text: str) -> list[Found]:
    found = []
    for match in _LIKE.finditer(text):
        before = (match["before"] or "").lower().replace("\u2019", "'")
        names, end = names_from(text, match.end())
        if not names or before in _NO_LIKENESS or before.endswith("'d"):
            continue
        free = not before or before in _ANYTHING or before in wording().form or before in ",;:"
        exemplified = before.endswith("s") and not free  # "features like undo"
        if is_name_like(names[0]) or free or (_is_rare(names[0]) and not exemplified):
            found.append(_found(match.start() + match[0].lower().rindex("like"), end, names))
    opening = _BUT.match(text)
    if opening and (is_name_like(opening["name"]) or _is_rare(opening["name"])) and not _is_language(opening["name"]):
        name = opening["name"].replace(JOINER, " ")
        found.append(_found(opening.start("name"), opening.end("name"), (name,)))
    return found


def _with_suffix(text: str) -> list[Found]:
    return [
        _found(match.start(), match.end(), (match["name"].replace(JOINER, " "),))
        for match in _SUFFIX.finditer(text)
        if (is_name_like(match["name"]) or platform_of(match["name"])) and not _NOT.search(text[: match.start()])
    ]


def _is_rare(name: str) -> bool:
    """Report whether a lower-case word can be a name: it is no plural, and no word of the vocabulary."""
    return not name.endswith("s") and phrase(name) not in vocabulary().synonyms and not wording().is_plain(name)


def _is_language(name: str) -> bool:
    platform = platform_of(name)
    return platform is not None and platform.language_filter is not None


def _found(start: int, end: int, names: tuple[str, ...]) -> Found:
    return Found(start, end, "likeness", f"like {' or '.join(names)}", names=names)
