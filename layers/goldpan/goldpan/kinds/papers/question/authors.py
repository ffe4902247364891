"""Recognize authors: "by Geoffrey Hinton", "Vaswani et al. 2017", "Hinton's papers", "papers by yoshua bengio"."""

from __future__ import annotations

import re

from goldpan.kinds.papers.question.reading import PaperSpan
from goldpan.kinds.papers.question.wording import NAME_PART, wording
from goldpan.kinds.papers.vocabulary import vocabulary
from goldpan.question.question_text import QUOTE, QuestionText
from goldpan.question.spans import BREAK
from goldpan.text import words

_PARTICLE = r"(?:van|von|der|den|de|la|le|da|di|dos|del|bin|al|el|ten|ter)"
_NAME = rf"{NAME_PART}(?:\s+(?:{_PARTICLE}\s+)*{NAME_PART}){{0,3}}"
_ANY_NAME = rf"(?:(?:{_PARTICLE}\s+)+{NAME_PART}|{_NAME})"
_PAPERS = r"(?:papers?|articles?|work|works|publications?|research|studies|stuff|writings?|theses|reviews?|surveys?)"
_LIST = rf"{_ANY_NAME}(?:(?:\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+){_ANY_NAME}){{0,5}}"
_BY = re.compile(
    rf"(?<![\w-])(?:(?i:(?:co-?)?authored\s+by|written\s+by|author:|by)(?:\s+the\s+(?:group|lab|team)\s+of)?)\s*(?P<names>{_LIST})"
)
_OF = re.compile(
    rf"(?<![\w-])(?i:works?|papers?|articles?|writings|publications)\s+(?:of|from)\s+(?P<names>{NAME_PART}\s+{_LIST})"
)
_ET_AL = re.compile(
    rf"(?P<names>{_ANY_NAME}(?:\s*,\s*{_ANY_NAME})*)\s*,?\s+et\.?\s+al\b\.?(?:,?\s*\(?(?P<year>(?:19|20)\d\d)[a-z]?\)?)?"
)
_POSSESSIVE = re.compile(
    rf"(?<![\w-])(?P<names>{_NAME}?)(?:'s|s')\s+(?:(?:recent|latest|early|seminal)\s+)?(?={_PAPERS}\b)"
)
_LOWER = re.compile(
    rf"(?<![\w-])(?:{_PAPERS}|written|authored|published)\s+by\s+(?P<names>[a-z][\w'-]+(?:\s+[a-z][\w'.-]*){{0,3}})"
)
MAX_LOWER_WORDS = 3
_LOWER_POSSESSIVE = re.compile(rf"(?<![\w-])(?P<names>[a-z]{{3,}}\s+[a-z]{{3,}})'s\s+(?={_PAPERS}\b)")
_WROTE_IT = re.compile(
    rf"(?<![\w-])(?:(?i:did|has|have)\s+(?P<names>{NAME_PART}\s+{_LIST})\s+(?:ever\s+|recently\s+)?(?:write|written|publish|published|author|authored|say|said)"
    rf"|(?P<subject>{NAME_PART}\s+{_LIST})\s+(?:has\s+|have\s+)?(?:(?:co-?)?wrote|(?:co-?)?written|published|(?:co-?)?authored))(?![\w-])"
)
"""What people did: "what did Judea Pearl write about", "that Terence Tao published"."""
_CITED = re.compile(
    rf"\((?P<names>{_LIST})\s*,\s*(?P<year>(?:19|20)\d\d)[a-z]?\)|^(?P<subject>{_ANY_NAME}(?:,\s*{_ANY_NAME})*,?\s+(?:and|&)\s+{_ANY_NAME})\s+\((?P<of>(?:19|20)\d\d)[a-z]?\)"
)
"""A citation: "(Kahneman & Tversky, 1979)", or "Kahneman and Tversky (1979)" at the beginning."""
_BY_QUOTED = re.compile(rf"(?<![\w-])(?:by|author:)\s*(?P<name>{QUOTE}+)", re.IGNORECASE)
_WROTE = re.compile(
    r"(?:written|(?:co-?)?authored|published|proposed|introduced|edited|pioneered|recently|invented)", re.IGNORECASE
)
_SURNAME = re.compile(
    r"(?:Mc|Mac|O'|D'|L'|Le|La|De|Di|Du|Van|Von|Fitz)?[^\W\d_a-z][a-z\u00df-\u017f]+(?:-[A-Z][a-z]+)?|[\u3400-\u9fff\uac00-\ud7af]{2,4}"
)
_PAPERS_BEFORE = re.compile(rf"(?:^|[^\w-]){_PAPERS}\s+$", re.IGNORECASE)
_DETERMINERS = frozenset("the a an any our my your their this that these those all".split())  # noqa: SIM905
"""Function words that are no family name; May, So or He after "papers by" are names."""
_AFTER_NAME = re.compile(
    rf"\s*(?:$|[,.;?!){BREAK}]|(?:on|about|in|from|at|since|and|published|for|with|between|before|after|et)\b)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+")


def find_authors(text: str, source: QuestionText) -> list[PaperSpan]:
    """Find the names of authors; an institution or a method after "by" is none."""
    found = [_quoted(match, source) for match in _BY_QUOTED.finditer(text)]
    for pattern in (_CITED, _ET_AL, _BY, _OF, _POSSESSIVE, _WROTE_IT):
        for match in pattern.finditer(source.text if pattern is _CITED else text):
            if pattern is _BY and _is_agent(text, match):
                continue
            is_told = pattern is _BY and _PAPERS_BEFORE.search(text[: match.start()]) is not None
            names = tuple(name for name in _SEPARATOR.split(_names(match)) if _is_person(name, is_told=is_told))
            if names:
                found += [
                    one for one in _found(match, names, text) if not one.overlaps(found) or one.start == found[-1].start
                ]
    for match in _LOWER.finditer(text):
        name = _lower_name(match["names"])
        one = PaperSpan(match.start("names") - 3, match.start("names") + len(name), "constraint", *_author(name))
        if name and not one.overlaps(found):
            found.append(one)
    for match in _LOWER_POSSESSIVE.finditer(text):
        name = _lower_name(match["names"])
        if name == " ".join(match["names"].split()):
            found.append(PaperSpan(match.start(), match.end(), "constraint", *_author(name)))
    return found


def _found(match: re.Match[str], names: tuple[str, ...], text: str) -> list[PaperSpan]:
    end = match.end()
    if len(names) < len(_SEPARATOR.split(_names(match))):  # something else follows: "by Hinton and Monte Carlo"
        end = text.index(names[-1], match.start()) + len(names[-1])
    listed = [PaperSpan(match.start(), end, "constraint", *_author(name)) for name in names]
    if dated := match.groupdict().get("year") or match.groupdict().get("of"):
        year = int(dated)
        listed.append(PaperSpan(match.start(), end, "constraint", f"in {year}", {"year_from": year, "year_to": year}))
    return listed


def _names(match: re.Match[str]) -> str:
    return match["names"] or match["subject"]


def _quoted(match: re.Match[str], source: QuestionText) -> PaperSpan:
    name = source.typed(match.start("name"), match.end("name"))
    return PaperSpan(match.start(), match.end(), "constraint", *_author(name))


def _author(name: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    plain = " ".join(name.split()).rstrip(".") if not re.search(r"\b[A-Z]\.$", name) else name
    return f"by {plain}", {"authors": (plain,)}


def _is_agent(text: str, match: re.Match[str]) -> bool:
    """Report whether the name after "by" does something in a sentence: "genes regulated by Esrrb"."""
    before = re.findall(r"[\w'-]+", text[: match.start()])[-1:]
    if before and re.search(r"(?:ed|ly|en)$", before[0]) and not _WROTE.fullmatch(before[0]):
        return True
    alone = " " not in match["names"]
    return alone and not (_SURNAME.fullmatch(match["names"]) and _AFTER_NAME.match(text, match.end()))


def _is_person(name: str, *, is_told: bool = False) -> bool:
    """Report whether a name may be a person's; one that is surely told to be so may look like a function word."""
    parts = words(name)
    if not parts or (name.isupper() and len(name) > 1 and "." not in name):
        return False
    tables = wording()
    refused = _DETERMINERS if is_told else tables.function | tables.request
    return not any(part in tables.no_author or part in refused for part in parts) and vocabulary().find(name) is None


def _lower_name(text: str) -> str:
    """Return the words of a name in lower case, up to the first function word; none if one is of a method."""
    tables, name = wording(), list[str]()
    for word in text.split()[:MAX_LOWER_WORDS]:
        if not tables.is_subject(word) or word in tables.vague:
            break
        name.append(word)
    plain = not any(word in tables.no_author or word in vocabulary().words for word in name)
    return " ".join(name) if plain else ""
