"""Recognize what the results must not be: "without X", "not in Java", "no Electron", "-game", "anything but PHP"."""

from __future__ import annotations

import re
from typing import Any

from goldpan.kinds.repositories.question.reading.names import is_name_like
from goldpan.kinds.repositories.question.reading.parts import Found
from goldpan.kinds.repositories.question.reading.wording import (
    JOINER,
    TOKEN,
    displayed,
    plain,
    platform_of,
    wording,
)
from goldpan.question.parts import BREAK

_NOT_VERB = r"(?:(?:do(?:es)?|must|should|can|may)\s+not|(?:do|does|must|should|ca|wo)n'?t|cannot|not|never)"
_CUE = re.compile(
    rf"(?<![\w-])(?:(?:that|which)\s+(?:is|are)\s+)?(?:(?P<clause>without|w/o)|sans|excluding|exclud(?:e|es)|except(?:\s+for)?"
    rf"|avoid(?:ing|s)?|(?:anything|everything|something|any\s+language)\s+(?:but|other\s+than|except|besides)"
    rf"|(?:other|apart|aside)\s+(?:than|from)|free\s+of|(?:is\s+|are\s+)?neither"
    rf"|(?P<verb>no\s+need\s+(?:for|of|to\s+use)|{_NOT_VERB}\s+(?:uses?|using|needs?|requires?|depend\s+on|rely\s+on|run\s+on"
    r"|want|include|involve|like))"
    rf"|(?P<besides>besides)|(?P<instead>instead\s+of|rather\s+than)|(?P<name>{_NOT_VERB}\s+be|nothing|none\s+of\s+(?:that|those)|never|minus"
    r"|(?:(?:i|we)\s+)?(?:hate|dislike)|(?:sick|tired|not\s+an?\s+(?:big\s+|huge\s+)?fan)\s+of|fed\s+up\s+with)"
    rf"|(?P<no>no)|(?P<not>(?:is\s+|are\s+)?not|isn'?t|aren'?t))\s+",
    re.IGNORECASE,
)
"""What excludes the thing after it; a `name` cue does so only before a platform or a name ("must not be slow")."""
_FILLER = re.compile(
    r"(?:(?:using|needing|requiring|use|depending\s+on|relying\s+on|based\s+on|related\s+to"
    r"|(?:written|built|made|coded|implemented|done)\s+(?:in|with|on|using)|tied\s+to|anything|something|any|an?|the|all|in|for|with|from|by"
    r"|external|extra|additional|another|separate|heavy|big)\s+)*",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"(?:longer|idea|problem|matter|need|one|more|way|only|just|sure|necessarily|really|yet|as|all|exactly|be|have|to|if"
    r"|enough|working|limited|always|less|fewer|possible|available|supported|know|even|being|code|nonsense|brainer|op|sql"
    r"|std|config|configuration|setup|build|fuss|frills)(?!\w)",
    re.IGNORECASE,
)
_DEGREE = re.compile(r"(?:too|very|so|that|much|many|overly)\s+(?:much\s+|many\s+)?[\w-]+", re.IGNORECASE)
_TOKEN = re.compile(TOKEN)
_CLAUSE = re.compile(rf"(?:(?!\s+(?:in|for|with|but|using|and)\s)[^,.;:?!{BREAK}])*")
_LINK = re.compile(r"\s*(?P<how>/|,\s*(?:or|and|nor)?|\s(?:or|nor|and))\s*", re.IGNORECASE)
_TRAILING = frozenset(
    [
        "dependency",
        "dependencies",
        "dep",
        "deps",
        "required",
        "requirement",
        "requirements",
        "needed",
        "please",
        "support",
        "bloat",
        "overhead",
    ]
)
_AFTER_THING = frozenset(
    [
        "and",
        "or",
        "nor",
        "in",
        "for",
        "with",
        "but",
        "on",
        "that",
        "which",
        "if",
        "please",
        "at",
        "from",
        "to",
        "by",
        "as",
        "so",
        "is",
        "are",
        "using",
        "because",
        "than",
        "while",
        "when",
        "like",
        "since",
        "not",
        "required",
        "needed",
        "support",
        "dependency",
        "instead",
        "i",
        "we",
    ]
)
"""Words after which the excluded thing is at its end."""
_REFUSED = re.compile(
    r"(?<![\w-])(?:(?:i|we|you|they|it|that|which)\s+)?(?:don't|doesn't|do\s+not|does\s+not|can't|cannot|won't)\s+"
    r"(?!know|understand|care|mind|have|find|see|think|like|want|need|use)[a-z]+",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    rf"(?P<name>(?:{TOKEN}))\s+is\s+(?:not\s+(?:an\s+option|allowed|acceptable)|out\s+of\s+the\s+question|no\s+option|a\s+no[\s-]go)(?!\w)",
    re.IGNORECASE,
)
_MINUS = re.compile(rf"(?<!\S)-(?P<name>[A-Za-z][\w.+#{JOINER}-]+)")
_NON = re.compile(rf"(?<![\w-])(?:non-|not-|(?<!\S)!)(?P<name>[\w.+#{JOINER}]+)", re.IGNORECASE)
_FREE = re.compile(rf"(?<![\w-])(?P<name>[\w.+#{JOINER}]+)-free(?![\w-])", re.IGNORECASE)
_CLOSED = re.compile(rf"(?:,\s*(?:{TOKEN}))*,?\s+(?:or|nor)\s", re.IGNORECASE)
"""What follows an item of a list that ends in "or": "not kitty, alacritty or wezterm"."""
_BASED = re.compile(r"-(?:based|powered|written|like|style)$", re.IGNORECASE)
MAX_TERM_WORDS, MIN_PIECE, PAIR = 3, 3, 2


def find_exclusions(text: str) -> list[Found]:
    """Find what is excluded; a clause that names no thing, such as "without writing SQL by hand", is unread."""
    found: list[Found] = []
    found += [
        _exclusion(match.start(), match.end(), match["name"])
        for match in _REJECTED.finditer(text)
        if platform_of(match["name"]) is not None or is_name_like(match["name"])
    ]
    for match in _CUE.finditer(text):
        if _is_free(match, found):
            found += _after_cue(text, match)
    for match in _REFUSED.finditer(text):
        if _is_free(match, found):
            clause = _CLAUSE.match(text, match.end())
            found.append(_unread(text, match.start(), clause.end() if clause else match.end()))
    for pattern in (_MINUS, _NON, _FREE):
        for match in pattern.finditer(text):
            named = platform_of(match["name"]) is not None or is_name_like(match["name"])
            if pattern is _MINUS or named:
                found.append(_exclusion(match.start(), match.end(), match["name"]))
    return found


def _is_free(match: re.Match[str], found: list[Found]) -> bool:
    return all(match.end() <= other.start or other.end <= match.start() for other in found)


def _after_cue(text: str, cue: re.Match[str]) -> list[Found]:
    harmless = (cue["no"] or cue["not"]) and _NEVER.match(text, cue.end())
    if harmless or (cue["besides"] and not _follows_form(text, cue.start())):
        return []
    degree = _DEGREE.match(text, cue.end())
    if degree:
        return [_unread(text, cue.start(), degree.end())]
    filler = _FILLER.match(text, cue.end())
    start = filler.end() if filler else cue.end()
    excluded, end = _excluded_from(text, start)
    if cue["name"] and excluded and platform_of(excluded[0]) is None and not is_name_like(excluded[0].split()[0]):
        return []
    if excluded:
        first = _exclusion(cue.start(), end, excluded[0])
        return [first, *(_exclusion(cue.start(), end, name) for name in excluded[1:])]
    if cue["clause"] or cue["instead"] or cue["verb"]:
        clause = _CLAUSE.match(text, cue.end())
        return [_unread(text, cue.start(), max(cue.end(), clause.end() if clause else 0))]
    return []


def _excluded_from(text: str, start: int) -> tuple[list[str], int]:
    """Read the excluded things from a place on: "jQuery or React", "ads and tracking"."""
    name, end = _thing_at(text, start)
    names = [name] if name else []
    while name:
        link = _LINK.match(text, end)
        name, next_end = _thing_at(text, link.end()) if link else ("", end)
        how = link["how"].strip().lower() if link else ""
        certain = how in ("or", "nor", "/", ", or", ", nor") or is_name_like(name) or platform_of(name)
        closed = how == "," and _CLOSED.match(text, next_end)
        if name and (certain or closed or (how == "and" and re.match(r"\s*(?:$|[.,;!?])", text[next_end:]))):
            names, end = [*names, name], next_end
        else:
            break
    return [piece for name in names for piece in _pieces(name)], end


def _follows_form(text: str, end: int) -> bool:
    """Report whether what is asked for precedes: "a tool besides SonarQube", not "supports SQLite besides MySQL"."""
    before = re.search(r"([\w-]+)\s+$", text[:end])
    return before is not None and before[1].lower() in wording().form


def _pieces(name: str) -> list[str]:
    """Split "Kitty/Alacritty/WezTerm" and "PHP/Java", but neither "owner/name" nor "TCP/IP"."""
    pieces = name.split("/")
    listed = len(pieces) > PAIR or all(piece[:1].isupper() and len(piece) >= MIN_PIECE for piece in pieces)
    return pieces if listed or all(platform_of(piece) for piece in pieces) else [name]


def _thing_at(text: str, start: int) -> tuple[str, int]:
    """Read up to three words; none if the first is a verb form, or only holds the sentence together."""
    words: list[str] = []
    end = start
    while len(words) < MAX_TERM_WORDS:
        token = _TOKEN.match(text, end + (1 if words and text[end : end + 1] == " " else 0))
        if token is None or (token[0].lower() in wording().request and not _is_go(text, token)):
            break
        if not words and _is_manner(text, token):
            return "", start
        words.append(token[0])
        end = token.end()
        if platform_of(token[0]) is not None and len(words) == 1 and not _continues(text, end):
            break
    while words and (words[-1].lower() in _TRAILING or (len(words) > 1 and words[-1].lower() in wording().form)):
        words.pop()
    following = _TOKEN.match(text, end + 1) if text[end : end + 1] == " " else None
    if following and following[0].lower() in wording().request and following[0].lower() not in _AFTER_THING:
        return "", start
    named = [word for word in words if not wording().is_plain(word.lower()) or is_name_like(word) or platform_of(word)]
    return (plain(" ".join(words)), end) if named else ("", start)


def _is_go(text: str, token: re.Match[str]) -> bool:
    """Report whether an ordinary word names a language: it has a capital, or "in" before it."""
    if platform_of(token[0]) is None:
        return False
    return token[0][0].isupper() or re.search(r"\b(?:in|using)\s+$", text[: token.start()], re.IGNORECASE) is not None


def _continues(text: str, end: int) -> bool:
    """Report whether the name goes on after a platform: "React Native", "Docker daemon"."""
    following = re.compile(rf"\s({TOKEN})").match(text, end)
    return following is not None and following[1].lower() not in wording().request


def _is_manner(text: str, token: re.Match[str]) -> bool:
    """Report whether a word is a verb form with an object ("writing SQL"), not a thing ("tracking")."""
    following = re.match(r"\s+([\w'-]+)", text[token.end() :])
    goes_on = following is not None and following[1].lower() not in _AFTER_THING
    return token[0].lower().endswith("ing") and goes_on and not is_name_like(token[0])


def _exclusion(start: int, end: int, name: str) -> Found:
    name = _BASED.sub("", plain(name))
    platform = platform_of(name)
    fields: dict[str, Any] = {"excluded_terms": (name,)}
    if platform is not None and platform.language_filter:
        fields = {"excluded_languages": (platform.language_filter,)}
    return Found(start, end, "exclusion", f"not {displayed(platform) if platform else name}", fields)


def _unread(text: str, start: int, end: int) -> Found:
    clause = plain(text[start:end].replace(BREAK, " "))
    return Found(start, end, "unread", clause, note=f"“{clause}” is not used: it names nothing to exclude.")
