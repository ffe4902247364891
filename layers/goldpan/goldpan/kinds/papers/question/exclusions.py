"""Recognize what papers must not be about: "not medical", "without deep learning", "excluding mice", "-GAN"."""

from __future__ import annotations

import re

from goldpan.kinds.papers.question.paper_types import REFUSING
from goldpan.kinds.papers.question.parts import QUOTE, Found
from goldpan.kinds.papers.question.vocabulary import MAX_PHRASE_WORDS, vocabulary
from goldpan.kinds.papers.question.wording import TOKEN, wording
from goldpan.question.parts import BREAK

_CUE = re.compile(
    r"(?<![\w-])(?:but\s+|and\s+|,\s*)?(?:"
    r"(?P<hard>without|w/o|exclud(?:ing|es|e)|except(?:\s+for)?|besides|apart\s+from|other\s+than|anything\s+but|rather\s+than"
    r"|instead\s+of|omit(?:ting)?|avoid(?:ing)?|ignor(?:e|ing)|(?-i:NOT)"
    r"|nothing(?=\s+(?:about|on|from|using|with|related|involving)\b)"
    r"|not(?=\s+(?:about|related|concerning|based|limited)\b)|(?P<using>not(?=\s+(?:using|involving|including)\b))"
    rf"|(?:(?:that|which)\s+(?:are|is|do|does)\s+not|(?:that|which)\s+(?:aren't|isn't|don't|doesn't)|{REFUSING})"
    r")"
    rf"|(?:(?<=^)|(?<=[,;(.?!{BREAK}]\s)|(?<=[,;({BREAK}])|(?<=\bbut\s)|(?<=\band\s)|(?<=\bwith\s)|(?<=\s{{2}}))(?P<no>not?|nor)"
    r"|(?<=\w\s)(?P<last>not?))\s+",
    re.IGNORECASE,
)
"""A bare "not" or "no" counts at the beginning of a clause, and between two things at the end of one: "sleep does not
improve memory" excludes nothing."""
_CLAUSE_ENDS = re.compile(rf"\s*(?:$|[,.;:?!){BREAK}]|(?:or|nor|and)\b)")
_SENTENCE = re.compile(
    r"\b(?:do|does|did|is|are|was|were|can|could|should|will|would|why|how|has|have|had)\b", re.IGNORECASE
)
"""What makes a sentence of the words before "not"."""
_FILLER = re.compile(
    r"(?:(?:using|use|uses|involve|involving|need|needing|require|requiring|include|including|about|on|in|for|with|from|related\s+to"
    r"|based\s+on|any|an?|the|all|just|only|involves|focused\s+on|limited\s+to|of|cover|covering|want|concern|concerning)\s+)*",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"(?:only|just|longer|more|less|sure|necessarily|yet|all|always|enough|least|one|known|well|clear|possible|available|exactly|really"
    r"|open|free|be|being|have|written|by|too|very|so|matter|idea|need|significant|inferiority)(?!\w)",
    re.IGNORECASE,
)
_LINK = re.compile(r"\s*(?:,\s*(?:or|and|nor)?|/|\s(?:or|nor|and))\s*", re.IGNORECASE)
_MINUS = re.compile(rf"(?<!\S)-(?P<name>{QUOTE}+|[A-Za-z][\w.+#-]+)")
_NON = re.compile(
    r"(?<![\w-])non-(?P<name>medical|clinical|human|academic|english|commercial|technical|western|biological|military)(?![\w-])",
    re.IGNORECASE,
)
_TRAILING = frozenset(
    [
        "papers",
        "paper",
        "articles",
        "article",
        "studies",
        "study",
        "work",
        "works",
        "research",
        "publications",
        "literature",
        "applications",
        "application",
        "methods",
        "method",
        "approaches",
        "approach",
        "models",
        "based",
        "related",
        "ones",
    ]
)
MAX_WORDS = 4


def find_exclusions(text: str, original: str) -> list[Found]:
    """Find what is excluded; a clause after "not" that names nothing is unread. `original` has the quoted texts."""
    found: list[Found] = []
    for match in _CUE.finditer(text):
        if not found or match.start() >= found[-1].end:
            found += _after_cue(text, match, original)
    for pattern in (_MINUS, _NON):
        for match in pattern.finditer(text):
            if not any(one.start <= match.start() < one.end for one in found):
                found.append(_exclusion(match.start(), match.end(), original[match.start("name") : match.end("name")]))
    return found


def _after_cue(text: str, cue: re.Match[str], original: str) -> list[Found]:
    if (cue["no"] or cue["last"]) and _NEVER.match(text, cue.end()):
        return []
    if cue["last"] and not _is_last(text, cue, original):
        return []
    filler = _FILLER.match(text, cue.end())
    if cue["using"] and not _is_method(text, filler.end() if filler else cue.end()):
        return []
    names: list[str] = []
    start = end = filler.end() if filler else cue.end()
    while True:
        name, after = _thing_at(text, start, original, is_soft=bool(cue["no"] or cue["last"]))
        if not name:
            break
        names, end = [*names, name], after
        link = _LINK.match(text, end)
        if link is None or (len(names) > 0 and "and" in link[0].lower() and not cue["hard"]):
            break
        start = link.end()
    if names:
        return [_exclusion(cue.start(), end, name) for name in names]
    if not cue["hard"]:
        return []
    clause = re.compile(rf"[^,.;?!{BREAK}]*").match(text, cue.end())
    end = max(cue.end(), clause.end() if clause else 0)
    unread = original[cue.start() : end].replace(BREAK, " ").strip()
    note = f"“{unread}” is not used: it names nothing to exclude."
    return [Found(cue.start(), end, "unread", unread, note=note)] if unread else []


def _is_method(text: str, start: int) -> bool:
    """Report whether a known method is at a place: "patients not using insulin" excludes nothing."""
    tokens = _tokens_from(text, start)
    found = (vocabulary().find(text[start : tokens[place].end()]) for place in range(len(tokens)))
    return any(entry is not None and entry.is_method for entry in found)


def _is_last(text: str, cue: re.Match[str], original: str) -> bool:
    """Report whether a thing stands before "not", and nothing but another one after it: "parsing not speech"."""
    if _SENTENCE.search(text[: cue.start()]):
        return False
    before = re.findall(r"[\w'-]+", text[: cue.start()])[-1:]
    name, end = _thing_at(text, cue.end(), original, is_soft=True)
    said = name.split()[:1]
    is_thing = bool(said) and not re.search(r"(?:ing|ed|en)$", said[0])
    return bool(before) and wording().is_subject(before[0].lower()) and is_thing and bool(_CLAUSE_ENDS.match(text, end))


def _thing_at(text: str, start: int, original: str, *, is_soft: bool) -> tuple[str, int]:
    """Read a known phrase, a quoted text, or up to four words up to a function word; nothing if there is none."""
    tokens = _tokens_from(text, start)
    for length in range(len(tokens), 0, -1):
        if vocabulary().find(text[start : tokens[length - 1].end()]):
            return text[start : tokens[length - 1].end()], _past_trailing(tokens, length)
    subject = []
    for token in tokens[:MAX_WORDS]:
        if not wording().is_subject(token[0].lower()):
            break
        subject.append(token)
    if len(subject) > 1 and subject[0][0].endswith("ing"):  # a manner, not a thing: "without lowering the dose"
        return "", start
    kept = len(subject)
    while kept and subject[kept - 1][0].lower() in _TRAILING:
        kept -= 1
    if not kept or (is_soft and all(token[0].lower() in wording().vague for token in subject[:kept])):
        return "", start
    name = original[subject[0].start() : subject[kept - 1].end()]
    return name, _past_trailing(tokens, kept)


def _tokens_from(text: str, start: int) -> list[re.Match[str]]:
    """Return the words from a place on with nothing but a space between them, as many as a phrase has."""
    tokens: list[re.Match[str]] = []
    while len(tokens) < MAX_PHRASE_WORDS and (token := TOKEN.match(text, start)):
        tokens.append(token)
        start = token.end() + 1
        if text[token.end() : start] != " ":
            break
    return tokens


def _past_trailing(tokens: list[re.Match[str]], length: int) -> int:
    """Return the end of a thing and of the words such as "papers" that follow it."""
    while length < len(tokens) and tokens[length][0].lower() in _TRAILING:
        length += 1
    return tokens[length - 1].end()


def _exclusion(start: int, end: int, name: str) -> Found:
    plain = " ".join(name.strip("\"'").split())
    return Found(start, end, "exclusion", f"not {plain}", {"excluded_terms": (plain,)})
