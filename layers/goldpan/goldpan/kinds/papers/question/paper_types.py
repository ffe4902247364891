"""Recognize what kind of papers is asked for or excluded: surveys, preprints, theses; and open access, preferences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.models import Preference
from goldpan.kinds.papers.question.parts import Found, overlaps

_PAPER = r"(?:papers?|articles?|publications?|works?|studies)"
_WORDS: tuple[tuple[PaperType, str], ...] = (
    ("review", (
        r"(?:systematic|literature|scoping|narrative|umbrella|critical|integrative|state[\s-]of[\s-]the[\s-]art|mini)[\s-]+"
        rf"(?:literature\s+)?(?:reviews?|surveys?|overviews?)(?:\s+{_PAPER})?|(?:review|survey|overview|tutorial)\s+{_PAPER}"
        r"|meta-?\s?analys[ei]s|(?:a\s+|good\s+|recent\s+|comprehensive\s+)*(?:surveys?|reviews?|overviews?)(?=\s+(?:of|on|about|for|covering|in)\b)"
        r"|(?:survey|review|overview)(?=\s*(?:$|[,.;?!\u00a6]))|(?<!\w\s)(?:survey|review|overview)(?=\s+(?:and|or)\b)|(?<=-)(?:survey|review|overview)|surveys|reviews"
    )),
    ("preprint", rf"preprints?(?:\s+{_PAPER})?(?!\s+servers?)|pre-prints?"),
    ("thesis", r"(?:(?:phd|doctoral|master'?s?|msc|bachelor'?s?)[\s-]+)?(?:thesis|theses|dissertations?)"),
    ("conference", rf"(?:conference|proceedings|workshop|symposium)\s+{_PAPER}"),
    ("article", rf"journal\s+{_PAPER}"),
    ("chapter", r"(?:book\s+)?chapters(?=\s+(?:of|on|about|in)\b)|book\s+chapters?"),
    ("book", r"(?:text)?books(?=\s+(?:of|on|about|for)\b)|monographs?|textbooks?"),
)  # fmt: skip
_DATASET = r"(?:datasets?|data\s+sets?)"
_HEAD_DATASET = re.compile(
    rf"^\W*(?:(?:find|show|give|list|search|looking|me|us|for|any|some|open|public|open-access|recent|the|a|i|need|want)\s+)*"
    rf"(?P<type>{_DATASET})(?=\s+(?:of|on|about|for|with|from)\b)",
    re.IGNORECASE,
)
_TYPE = re.compile(
    r"(?:(?<![\w-])|(?<=\s-)|(?<=^-))(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _WORDS) + r")(?![\w-])",
    re.IGNORECASE,
)
REFUSING = (
    r"(?:(?:i\s+|we\s+)?(?:do\s+not|don't|dont|never)\s+(?:(?:really|even)\s+)?(?:want|need|show|include|give\s+me|send|like|care\s+(?:for|about))"
    r"|(?:am\s+|i'm\s+)?not\s+(?:interested\s+in|looking\s+for))(?:\s+(?:to\s+)?(?:see|read))?"
)
"""How people say in a clause of its own what they do not want."""
_NEGATED = re.compile(
    r"(?<![\w-])(?:but\s+)?(?:no|not|without|exclud(?:e|ing|es)|except(?:\s+for)?|omit(?:ting)?|skip(?:ping)?|nor|ignor(?:e|ing)"
    r"|-|avoid(?:ing)?|anything\s+but|other\s+than|rather\s+than|instead\s+of|fewer|less"
    rf"|{REFUSING})\s*"
    r"(?:(?:any|a|an|the|on|just|only)\s+)*$",
    re.IGNORECASE,
)
_NO_REVIEW_AFTER = re.compile(
    r"(?:\b(?:peer|code|product|movie|film|online|customer|user|amazon|hotel|restaurant|app|book|consumer|yelp|household|sky"
    r"|galaxy|field|national|online|health|redshift|web|population|telephone|panel|drug|legal|judicial|performance|under)\s+)$",
    re.IGNORECASE,
)
"""What stands before "reviews" and "surveys" that are the subject itself."""
_NO_REVIEW_BEFORE = re.compile(
    r"^\s+(?:data|respondents?|methodology|questionnaires?|experiments?|design|responses?)", re.IGNORECASE
)
_OPEN_ACCESS = re.compile(
    r"(?<![\w-])(?:(?:that\s+are|which\s+are|is|only|must\s+be|and)\s+)*(?:open[\s-]access|freely\s+(?:available|accessible)|free\s+to\s+read"
    r"|(?:with\s+)?(?:a\s+)?(?:free|open)\s+(?:full[\s-]?text|pdfs?)|pdfs?\s+(?:available|free)"
    r"|(?:not|never)\s+(?:behind\s+(?:a\s+|the\s+)?)?pay-?wall(?:ed|s)?|(?:no|without(?:\s+an?)?)\s+pay-?walls?)(?:\s+only)?"
    r"(?![\w-])(?!\s+(?:publishing|movement|journals?|policy|policies|mandates?|citation|advantage))",
    re.IGNORECASE,
)
_NOT_OPEN = re.compile(r"(?<![\w-])(?:but\s+)?(?:not|no|non|isn't|aren't)[\s-]+$", re.IGNORECASE)
_CLOSED_ACCESS = re.compile(
    r"(?<![\w-])(?:closed[\s-]access|(?:is\s+|are\s+)?(?:behind\s+a\s+)?pay-?wall(?:ed)?(?=\s+(?:papers?|articles?|only)\b)|(?:is\s+|are\s+)?behind\s+a\s+pay-?wall)(?![\w-])",
    re.IGNORECASE,
)
_PREFERENCES: tuple[tuple[Preference, re.Pattern[str]], ...] = (
    ("influential", re.compile(
        r"(?<![\w-])(?:(?:the\s+)?(?:most|very|highly)[\s-]+)?(?:influential|seminal|landmark|(?:highly|most|well|top|widely|much)[\s-]+cited"
        r"|foundational|groundbreaking|ground-breaking|pioneering|impactful|must[\s-]read|canonical"
        rf"|(?:famous|classic(?:al)?|key|important|fundamental|famous|best[\s-]known)(?=\s+(?:{_PAPER}|survey|review)\b))(?![\w-])"
        r"(?!\s+(?:nodes?|users?|spreaders?|factors?|people|variables?|samples?))",
        re.IGNORECASE,
    )),
    ("recent", re.compile(
        r"(?<![\w-])(?:(?:the\s+)?most\s+)?(?:recent(?:ly)?|latest|newest|up[\s-]to[\s-]date|state[\s-]of[\s-]the[\s-]art|cutting[\s-]edge|sota)(?:\s+(?:years|advances|progress|developments|results))?"
        r"(?![\w-])",
        re.IGNORECASE,
    )),
)  # fmt: skip
_IN_ENGLISH = re.compile(
    r"(?<![\w-])(?:(?:written|published)\s+)?in\s+english(?:\s+only)?(?![\w-])|english[\s-]only", re.IGNORECASE
)
_COUNT = r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|a\s+dozen)"
_HOW_MANY = re.compile(
    rf"(?<![\w-])(?:(?:the\s+)?(?:top|best|first)[\s-]+{_COUNT}(?=\s+(?:\w+\s+)?(?:{_PAPER}|surveys?|reviews?|results)\b|\s+on\b)"
    rf"|{_COUNT}(?=\s+(?:(?:best|top|good|most|recent|key|influential|cited|seminal)\s+)*(?:{_PAPER}|surveys|reviews)\b))",
    re.IGNORECASE,
)
_SORTED = re.compile(
    r"(?<![\w-])(?:(?:sort|order|rank)(?:ed)?\s+(?:them\s+|it\s+|results\s+)?by\s+(?:(?:publication\s+|the\s+)?(?:number\s+of\s+)?)"
    r"(?:citations?(?:\s+counts?)?|dates?|years?|relevance|impact)|(?:newest|oldest|latest|most\s+cited|most\s+recent)(?:\s+(?:ones|papers))?\s+first)"
    r"(?![\w-])",
    re.IGNORECASE,
)
HOW_MANY = "How many papers are shown is not read from the question: max_results (-n) says it."
SORTED = "The order is not read from the question: sort (--sort) says it."
LANGUAGE = "The language of the papers is not used: most sources do not tell it."
_STATE = re.compile(r"state|cutting|sota", re.IGNORECASE)


def find_types(text: str) -> list[Found]:
    """Find the types of papers that are asked for, and those that are excluded: "no surveys"."""
    matches = [*_TYPE.finditer(text)]
    if head := _HEAD_DATASET.search(text):
        matches.append(head)
    matches += [
        match for match in re.finditer(rf"(?<![\w-]){_DATASET}", text, re.IGNORECASE) if _negation(text, match.start())
    ]
    found: list[Found] = []
    for match in matches:
        name: PaperType = match.lastgroup if match.lastgroup in dict(_WORDS) else "dataset"
        start, end = match.span(match.lastgroup or 0)
        if name == "review" and (_NO_REVIEW_AFTER.search(text[:start]) or _NO_REVIEW_BEFORE.match(text[end:])):
            continue
        negated, linked = _negation(text, start), _linked(text, start, found)
        if negated or (linked and linked.kind == "exclusion"):
            begin = negated.start() if negated else start
            found.append(Found(begin, end, "exclusion", f"not {name}", {"excluded_types": (name,)}))
        elif start >= 0:
            found.append(Found(start, end, "constraint", f"type {name}", {"types": (name,)}))
    return found


def without_contradicting_types(found: list[Found]) -> list[Found]:
    """Leave an exclusion unread of what is asked for too, such as "conference papers, no workshop papers"."""
    asked = {name for one in found for name in one.fields.get("types", ())}
    return [
        replace(
            one, kind="unread", fields={}, note=f"“{one.value}” is not used: the question asks for such papers too."
        )
        if asked.intersection(one.fields.get("excluded_types", ()))
        else one
        for one in found
    ]


def find_wishes(text: str) -> list[Found]:
    """Find open access, and the wish for influential or recent work, which changes the order only."""
    language = (
        Found(match.start(), match.end(), "unread", match[0].strip(), note=LANGUAGE)
        for match in _IN_ENGLISH.finditer(text)
    )
    amount = (
        Found(match.start(), match.end(), "unread", match[0].strip(), note=note)
        for pattern, note in ((_SORTED, SORTED), (_HOW_MANY, HOW_MANY))
        for match in pattern.finditer(text)
    )
    told = [*amount, *language]
    return [*told, *_open_access(text), *(one for one in _preferences(text) if not overlaps(one, told))]


def _negation(text: str, start: int) -> re.Match[str] | None:
    return _NEGATED.search(text[:start])


def _linked(text: str, start: int, found: list[Found]) -> Found | None:
    """Return the type before this one in a list: "no surveys or preprints"."""
    before = found[-1] if found else None
    between = text[before.end : start] if before else ""
    return before if before and re.fullmatch(r"\s*(?:,|,?\s*\b(?:or|and|nor))\s*", between) else None


def _open_access(text: str) -> Iterator[Found]:
    for match in _OPEN_ACCESS.finditer(text):
        denied = _NOT_OPEN.search(text[: match.start()])
        start = denied.start() if denied else match.start()
        yield _access(start, match.end(), is_open=not denied)
    for match in _CLOSED_ACCESS.finditer(text):
        if not re.search(r"\b(?:not|never|no)\s+$", text[: match.start()], re.IGNORECASE):
            yield _access(match.start(), match.end(), is_open=False)


def _access(start: int, end: int, *, is_open: bool) -> Found:
    value = "open access" if is_open else "not open access"
    return Found(start, end, "constraint", value, {"open_access": is_open})


def _preferences(text: str) -> Iterator[Found]:
    for name, pattern in _PREFERENCES:
        for match in pattern.finditer(text):
            if name == "influential" or not _STATE.search(match[0]):
                yield Found(match.start(), match.end(), "constraint", f"{name} first", preference=name)
