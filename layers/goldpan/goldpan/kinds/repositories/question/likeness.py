"""What the results are to be like: "alternative to X", "X clone", "something like X"."""

from __future__ import annotations

import re

from goldpan.kinds.repositories.question.reading import RepositorySpan
from goldpan.kinds.repositories.question.wording import wording
from goldpan.kinds.repositories.vocabulary import platform_of, vocabulary
from goldpan.question.question_text import JOINER, TOKEN, plain
from goldpan.text import phrase

_KIND = r"alternatives?|replacements?|substitutes?|equivalents?|successors?|competitors?|rivals?|counterparts?|clones?"
_FORWARD = re.compile(
    rf"(?<![\w-])(?:(?:{_KIND})\s+(?:to|for|of)|similar\s+to|comparable\s+to|akin\s+to|in\s+the\s+(?:style|spirit)\s+of"
    r"|inspired\s+by|migrat\w+\s+(?:away\s+)?from)\s+",
    re.IGNORECASE,
)
_BACKWARD = re.compile(rf"\s+(?:{_KIND})(?![\w-])(?P<to>\s+to\s)?", re.IGNORECASE)
_LIKE = re.compile(r"(?<![\w-])(?:(?P<before>[\w'\u2019-]+|[,;:])\s*)?(?<![\w-])like\s+", re.IGNORECASE)
_SUFFIX = re.compile(rf"(?<![\w-])(?P<name>[\w.+#{JOINER}-]+)-(?:like|style|inspired|esque)(?![\w-])", re.IGNORECASE)
_BUT = re.compile(rf"^\s*(?P<name>[\w.+#/{JOINER}-]+),?\s+but\s+(?!(?:no|not)\b)", re.IGNORECASE)
_NOUN_FOLLOWS = re.compile(r"\s*(?:$|[,.;:!?\u00a6)]|(?:in|with|for|using|written|built|made|that|but|app|based|on)\b)")
_DETERMINER = re.compile(
    r"(?:(?:the|a|an|my|our|any|existing|popular|commercial|proprietary|old|original|good)\s+)*"
    r"(?:one[s]?\s+(?:in|on|from|of|at)\s+|what\s+)?",
    re.IGNORECASE,
)
_NEXT_NAME = re.compile(r"\s*(?:/|,?\s+(?:or|and|and/or)\s)\s*", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?!(?:and|or)\s)")
_END = re.compile(r"\s*(?:$|[,.;:!?)])")
_CLOSED = re.compile(r"(?:,\s*[\w.+#/-]+)*,?\s+(?:and|or)\s+[\w.+#/-]+\s*(?:$|[.,;:!?)])", re.IGNORECASE)
"""What follows an item of a list that ends the clause: "vim, emacs and vscode"."""
MAX_NAME_WORDS = 4


def find_likenesses(text: str) -> list[RepositorySpan]:
    """Find the names that the results are to be like."""
    found: list[RepositorySpan] = []
    for one in (*_before_kind(text), *_after_kind(text), *_after_like(text), *_with_suffix(text)):
        if not one.overlaps(found):
            found.append(one)
    return found


def like(start: int, end: int, names: tuple[str, ...]) -> RepositorySpan:
    """Make a span that asks for what is like these names."""
    return RepositorySpan(start, end, "likeness", f"like {' or '.join(names)}", names=names)


def _before_kind(text: str) -> list[RepositorySpan]:
    found = []
    for match in _BACKWARD.finditer(text):
        name, start = _name_before(text, match.start())
        follows = re.match(r"\s+(?:for|of)\s", text[match.end() :])
        if not name or match["to"] or (platform_of(name) and follows):
            continue
        noun = name.lower() != "git" and (is_name_like(name) or _NOUN_FOLLOWS.match(text, match.end()))
        if noun or "clone" not in match[0].lower():
            found.append(like(start, match.end(), (name,)))
    return found


def _after_kind(text: str) -> list[RepositorySpan]:
    read = [(match.start(), *_names_from(text, match.end())) for match in _FORWARD.finditer(text)]
    return [like(start, end, names) for start, names, end in read if names]


def _after_like(text: str) -> list[RepositorySpan]:
    found = []
    for match in _LIKE.finditer(text):
        before = (match["before"] or "").lower().replace("\u2019", "'")
        names, end = _names_from(text, match.end())
        if not names or before in wording().no_likeness or before.endswith("'d"):
            continue
        free = not before or before in wording().anything or before in wording().form or before in ",;:"
        exemplified = before.endswith("s") and not free  # "features like undo"
        if is_name_like(names[0]) or free or (_is_rare(names[0]) and not exemplified):
            found.append(like(match.start() + match[0].lower().rindex("like"), end, names))
    opening = _BUT.match(text)
    if opening and (is_name_like(opening["name"]) or _is_rare(opening["name"])) and not _is_language(opening["name"]):
        found.append(like(opening.start("name"), opening.end("name"), (plain(opening["name"]),)))
    return found


def _with_suffix(text: str) -> list[RepositorySpan]:
    return [
        like(match.start(), match.end(), (plain(match["name"]),))
        for match in _SUFFIX.finditer(text)
        if is_name_like(match["name"]) or platform_of(match["name"])
    ]


def _names_from(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """Read names from a place on ("Notion or Obsidian"); return them and the end of the last one."""
    begin = _DETERMINER.match(text, start)
    name, end = _name_at(text, begin.end() if begin else start)
    names = (name,) if name else ()
    while name:
        link = _NEXT_NAME.match(text, end) or _COMMA.match(text, end)
        name, next_end = _name_at(text, link.end()) if link else ("", end)
        if not (name and link and _is_further(link[0], names, name, text[next_end:])):
            break
        names, end = (*names, name), next_end
    return tuple(plain(name) for name in names), end


def _is_further(link: str, names: tuple[str, ...], name: str, after: str) -> bool:
    """Report whether a name continues a list of names, rather than what is asked for: "like Notion, in React"."""
    if link.strip() != ",":
        proper = is_name_like(name) or platform_of(name) is not None
        return proper or "or" in link.lower() or (len(names) > 1 and _END.match(after) is not None)
    if platform_of(name) is not None and platform_of(names[0]) is None:
        return False
    closed = _CLOSED.match(after) is not None
    if is_name_like(name):
        return closed or _END.match(after) is not None
    return closed and phrase(name) not in vocabulary().synonyms


def _name_at(text: str, start: int) -> tuple[str, int]:
    """Read a name of up to four words: known together, or each with a capital."""
    token = TOKEN.match(text, start)
    if token is None or (_is_plain(token[0]) and not (start > 0 and token[0][0].isupper())):
        return "", start
    end = token.end()
    for _ in range(MAX_NAME_WORDS - 1):
        following = TOKEN.match(text, end + 1) if text[end : end + 1] == " " else None
        if following is None:
            break
        capitals = token[0][0].isupper() and following[0][0].isupper() and not platform_of(following[0])
        if not (platform_of(text[token.start() : following.end()]) or capitals):
            break
        end = following.end()
    return text[token.start() : end], end


def _name_before(text: str, end: int) -> tuple[str, int]:
    """Return the name that ends at a place, and its start; capitalized words in a row are one name."""
    tokens = list(TOKEN.finditer(text, 0, end))
    if not tokens or text[tokens[-1].end() : end].strip() or _is_common(tokens[-1][0]):
        return "", end
    first = len(tokens) - 1
    while first > 0 and len(tokens) - first < MAX_NAME_WORDS:
        before, after = tokens[first - 1], tokens[first]
        both = text[before.start() : tokens[-1].end()]
        capitals = before[0][0].isupper() and after[0][0].isupper()
        proper = capitals and not _is_common(before[0]) and not platform_of(before[0])
        if text[before.end() : after.start()] != " " or not (proper or platform_of(both)):
            break
        first -= 1
    return plain(text[tokens[first].start() : tokens[-1].end()]), tokens[first].start()


def is_name_like(token: str) -> bool:
    """Report whether a word looks like a name: it has a capital, a digit, a dot or a hyphen, or is protected."""
    return re.search(rf"[A-Z0-9{JOINER}\"]|\w[.-]\w|@|\w/\w", token) is not None


def _is_plain(token: str) -> bool:
    word = token.lower()
    return wording().is_plain(word) or word.startswith(("self-host", "selfhost"))


def _is_common(token: str) -> bool:
    lower = token.lower()
    by_nature = lower in ("drop-in", "hosted", "source", "open-source")
    return _is_plain(token) or by_nature or phrase(lower) in vocabulary().generic


def _is_rare(name: str) -> bool:
    """Report whether a lower-case word can be a name: it is no plural, and no word of the vocabulary."""
    return not name.endswith("s") and phrase(name) not in vocabulary().synonyms and not wording().is_plain(name)


def _is_language(name: str) -> bool:
    platform = platform_of(name)
    return platform is not None and platform.language_filter is not None
