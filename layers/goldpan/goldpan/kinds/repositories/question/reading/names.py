"""Read a name at a place of the text."""

from __future__ import annotations

import re

from goldpan.kinds.repositories.question.reading.wording import JOINER, TOKEN, plain, platform_of, wording
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.text import phrase

_TOKEN = re.compile(TOKEN)
_DETERMINER = re.compile(
    r"(?:(?:the|a|an|my|our|any|existing|popular|commercial|proprietary|old|original|good)\s+)*"
    r"(?:one[s]?\s+(?:in|on|from|of|at)\s+|what\s+)?",
    re.IGNORECASE,
)
_NEXT_NAME = re.compile(r"\s*(?:/|,?\s+(?:or|and|and/or)\s)\s*", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?!(?:and|or)\s)")
_END = re.compile(r"\s*(?:$|[,.;:!?)])")
_CLOSED = re.compile(rf"(?:,\s*(?:{TOKEN}))*,?\s+(?:and|or)\s+(?:{TOKEN})\s*(?:$|[.,;:!?)])", re.IGNORECASE)
"""What follows an item of a list that ends the clause: "vim, emacs and vscode"."""
MAX_NAME_WORDS = 4


def is_name_like(token: str) -> bool:
    """Report whether a word looks like a name: it has a capital, a digit, a dot or a hyphen, or is protected."""
    return bool(re.search(rf"[A-Z0-9{JOINER}\"]|\w[.-]\w|@|\w/\w", token))


def is_plain(token: str) -> bool:
    """Report whether a word only asks or says nothing of the subject, so that it can be no name."""
    word = token.lower()
    return wording().is_plain(word) or word.startswith(("self-host", "selfhost"))


def names_from(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """Read names from a place on ("Notion or Obsidian"); return them and the end of the last one."""
    begin = _DETERMINER.match(text, start)
    name, end = _name_at(text, begin.end() if begin else start)
    names = (name,) if name else ()
    while name:
        link = _NEXT_NAME.match(text, end) or _COMMA.match(text, end)
        name, next_end = _name_at(text, link.end()) if link else ("", end)
        if name and link and _is_further(link[0], names, name, text[next_end:]):
            names, end = (*names, name), next_end
        else:
            break
    return tuple(plain(name) for name in names), end


def _is_further(link: str, names: tuple[str, ...], name: str, after: str) -> bool:
    """Report whether a name continues a list of names, rather than what is asked for: "like Notion, in React"."""
    if link.strip() != ",":
        proper = is_name_like(name) or platform_of(name) is not None
        return proper or "or" in link.lower() or (len(names) > 1 and _END.match(after) is not None)
    if platform_of(name) is not None and platform_of(names[0]) is None:
        return False
    if is_name_like(name):
        return _CLOSED.match(after) is not None or _END.match(after) is not None
    return phrase(name) not in vocabulary().synonyms and _CLOSED.match(after) is not None


def _name_at(text: str, start: int) -> tuple[str, int]:
    token = _TOKEN.match(text, start)
    if token is None or (is_plain(token[0]) and not _is_proper(token[0], start)):
        return "", start
    end = token.end()
    for _ in range(MAX_NAME_WORDS - 1):
        following = re.compile(rf"\s({TOKEN})").match(text, end)
        if following is None:
            break
        both = text[token.start() : following.end()]
        if not (
            platform_of(both) or (token[0][0].isupper() and following[1][0].isupper() and not platform_of(following[1]))
        ):
            break
        end = following.end()
    return text[token.start() : end], end


def _is_proper(token: str, start: int) -> bool:
    return start > 0 and token[0].isupper()


def name_before(text: str, end: int) -> tuple[str, int]:
    """Return the name that ends at a place, and its start; capitalized words in a row are one name."""
    tokens = list(_TOKEN.finditer(text, 0, end))
    if not tokens or text[tokens[-1].end() : end].strip() or _is_common(tokens[-1][0]):
        return "", end
    first = len(tokens) - 1
    while first > 0 and len(tokens) - first < MAX_NAME_WORDS:
        before, after = tokens[first - 1], tokens[first]
        both = text[before.start() : tokens[-1].end()]
        proper = (
            before[0][0].isupper()
            and after[0][0].isupper()
            and not _is_common(before[0])
            and not platform_of(before[0])
        )
        if text[before.end() : after.start()] != " " or not (proper or platform_of(both)):
            break
        first -= 1
    return plain(text[tokens[first].start() : tokens[-1].end()]), tokens[first].start()


def _is_common(token: str) -> bool:
    lower = token.lower()
    return (
        is_plain(token)
        or lower in ("drop-in", "hosted", "source", "open-source")
        or phrase(lower) in vocabulary().generic
    )
