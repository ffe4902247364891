"""The kinds of papers that a question asks for: surveys, preprints, theses; open access, and what changes the order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.models import Preference
from goldpan.kinds.papers.question.reading import PaperSpan, strings

_PAPER = r"(?:papers?|articles?|publications?|works?|studies)"
_WORDS: dict[PaperType, str] = {
    "review": (
        r"(?:systematic|literature|scoping|narrative|umbrella|critical|integrative|state[\s-]of[\s-]the[\s-]art|mini)[\s-]+"
        rf"(?:literature\s+)?(?:reviews?|surveys?|overviews?)(?:\s+{_PAPER})?|(?:review|survey|overview|tutorial)\s+{_PAPER}"
        r"|meta-?\s?analys[ei]s|(?:a\s+|good\s+|recent\s+|comprehensive\s+)*(?:surveys?|reviews?|overviews?)(?=\s+(?:of|on|about|for|covering|in)\b)"
        r"|(?:survey|review|overview)(?=\s*(?:$|[,.;?!\u00a6]))|(?<!\w\s)(?:survey|review|overview)(?=\s+(?:and|or)\b)|(?<=-)(?:survey|review|overview)|surveys|reviews"
    ),
    "preprint": rf"(?:arxiv\s+)?(?:preprints?(?:\s+{_PAPER})?(?!\s+servers?)|pre-prints?)",
    "thesis": r"(?:(?:phd|doctoral|master'?s?|msc|bachelor'?s?)[\s-]+)?(?:thesis|theses|dissertations?)",
    "conference": rf"(?:conference|proceedings|workshop|symposium)\s+{_PAPER}",
    "article": rf"journal\s+{_PAPER}",
    "chapter": r"(?:book\s+)?chapters(?=\s+(?:of|on|about|in)\b)|book\s+chapters?",
    "book": r"(?:text)?books(?=\s+(?:of|on|about|for)\b)|monographs?|textbooks?",
}
_DATASET = r"(?:datasets?|data\s+sets?)"
_HEAD_DATASET = re.compile(
    rf"^\W*(?:(?:find|show|give|list|search|looking|me|us|for|any|some|open|public|open-access|recent|the|a|i|need|want)\s+)*"
    rf"(?P<type>{_DATASET})(?=\s+(?:of|on|about|for|with|from)\b)",
    re.IGNORECASE,
)
_TYPE = re.compile(
    r"(?:(?<![\w-])|(?<=\s-)|(?<=^-))(?:"
    + "|".join(f"(?P<{name}>{words})" for name, words in _WORDS.items())
    + r")(?![\w-])",
    re.IGNORECASE,
)
_REFUSED_TYPE = re.compile(
    rf"(?:(?P<review>surveys?|reviews?|overviews?|tutorials?)|(?P<dataset>{_DATASET})|(?P<book>books?)|(?P<chapter>chapters?))(?![\w-])",
    re.IGNORECASE,
)
"""What is a type where it is refused, whatever follows."""
_NO_REVIEW_AFTER = re.compile(
    r"(?:\b(?:peer|code|product|movie|film|online|customer|user|amazon|hotel|restaurant|app|book|consumer|yelp|household|sky"
    r"|galaxy|field|national|health|redshift|web|population|telephone|panel|drug|legal|judicial|performance|under)\s+)$",
    re.IGNORECASE,
)
"""What stands before "reviews" and "surveys" that are the subject itself."""
_NO_REVIEW_BEFORE = re.compile(
    r"^\s+(?:data|respondents?|methodology|questionnaires?|experiments?|design|responses?)", re.IGNORECASE
)
_OPEN_ACCESS = re.compile(
    r"(?<![\w-])(?P<not>(?:but\s+)?(?:not|no|non|isn't|aren't)[\s-]+)?(?:(?:that\s+are|which\s+are|is|only|must\s+be|and)\s+)*(?:open[\s-]access"
    r"|freely\s+(?:available|accessible)|free\s+to\s+read|(?:with\s+)?(?:a\s+)?(?:free|open)\s+(?:full[\s-]?text|pdfs?)|pdfs?\s+(?:available|free)"
    r"|(?P<paywalled>(?:behind\s+(?:a\s+|the\s+)?)?pay-?wall(?:ed|s)?)|(?P<closed>closed[\s-]access))(?:\s+only)?"
    r"(?![\w-])(?!\s+(?:publishing|movement|journals?|policy|policies|mandates?|citation|advantage))",
    re.IGNORECASE,
)
_NO_WALL = re.compile(r"(?:\b(?:not|never|no)|without(?:\s+an?)?)\s+$", re.IGNORECASE)
_PREFERENCES: tuple[tuple[Preference, re.Pattern[str]], ...] = (
    ("influential", re.compile(
        r"(?<![\w-])(?:(?:the\s+)?(?:most|very|highly)[\s-]+)?(?:influential|seminal|landmark|(?:highly|most|well|top|widely|much)[\s-]+cited"
        r"|foundational|groundbreaking|ground-breaking|pioneering|impactful|must[\s-]read|canonical"
        rf"|(?:famous|classic(?:al)?|key|important|fundamental|best[\s-]known)(?=\s+(?:{_PAPER}|survey|review)\b))(?![\w-])"
        r"(?!\s+(?:nodes?|users?|spreaders?|factors?|people|variables?|samples?))",
        re.IGNORECASE,
    )),
    ("recent", re.compile(
        r"(?<![\w-])(?:(?:the\s+)?most\s+)?(?:recent(?:ly)?|latest|newest|up[\s-]to[\s-]date)(?:\s+(?:years|advances|progress|developments|results))?(?![\w-])",
        re.IGNORECASE,
    )),
)  # fmt: skip
_COUNT = r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|a\s+dozen)"
_UNREAD = (
    (
        "The order is not read from the question: sort (--sort) says it.",
        (
            r"(?:sort|order|rank)(?:ed)?\s+(?:them\s+|it\s+|results\s+)?by\s+(?:(?:publication\s+|the\s+)?(?:number\s+of\s+)?)"
            r"(?:citations?(?:\s+counts?)?|dates?|years?|relevance|impact)|(?:newest|oldest|latest|most\s+cited|most\s+recent)(?:\s+(?:ones|papers))?\s+first"
        ),
    ),
    (
        "How many papers are shown is not read from the question: max_results (-n) says it.",
        (
            rf"(?:the\s+)?(?:top|best|first)[\s-]+{_COUNT}(?=\s+(?:\w+\s+)?(?:{_PAPER}|surveys?|reviews?|results)\b|\s+on\b)"
            rf"|{_COUNT}(?=\s+(?:(?:best|top|good|most|recent|key|influential|cited|seminal)\s+)*(?:{_PAPER}|surveys|reviews)\b)"
        ),
    ),
    (
        "The language of the papers is not used: most sources do not tell it.",
        r"(?:(?:written|published)\s+)?in\s+english(?:\s+only)?|english[\s-]only",
    ),
    (
        "The number of citations is not used: most sources cannot limit it.",
        r"(?:with\s+)?(?:at\s+least|more\s+than|over|>=?)\s*\d[\d,.]*k?\s+citations",
    ),
)


class TypeNamed(NamedTuple):
    """A type of papers that a text names, and where it ends."""

    name: PaperType
    start: int
    end: int


def type_at(text: str, start: int) -> TypeNamed | None:
    """Return the type of papers that is refused at a place."""
    match = _TYPE.match(text, start) or _REFUSED_TYPE.match(text, start)
    name = next((name for name in (*_WORDS, "dataset") if match and match.groupdict().get(name)), None)
    if match is None or name is None or (name == "review" and _NO_REVIEW_BEFORE.match(text[match.end() :])):
        return None
    return TypeNamed(name, start, match.end())


def find_types(text: str) -> list[PaperSpan]:
    """Find the types of papers that are asked for."""
    found: list[PaperSpan] = []
    for match in (*_TYPE.finditer(text), *filter(None, [_HEAD_DATASET.search(text)])):
        name = match.lastgroup if match.lastgroup in _WORDS else "dataset"
        start, end = match.span(match.lastgroup or 0)
        if name == "review" and (_NO_REVIEW_AFTER.search(text[:start]) or _NO_REVIEW_BEFORE.match(text[end:])):
            continue
        found.append(PaperSpan(start, end, "constraint", f"type {name}", {"types": (name,)}))
    return found


def without_contradicting_types(found: Sequence[PaperSpan]) -> list[PaperSpan]:
    """Leave an exclusion unread of what is asked for too, such as "conference papers, no workshop papers"."""
    asked = {name for one in found for name in strings(one, "types")}
    note = "“{}” is not used: the question asks for such papers too."
    return [
        one.unread(note.format(one.value)) if asked.intersection(strings(one, "excluded_types")) else one
        for one in found
    ]


def find_wishes(text: str) -> list[PaperSpan]:
    """Find open access, the wish for influential or recent work, and what a question cannot set."""
    unread = [
        PaperSpan(match.start(), match.end(), "unread", match[0].strip(), note=note)
        for note, pattern in _UNREAD
        for match in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text, re.IGNORECASE)
    ]
    return [*unread, *_open_access(text), *(one for one in _preferences(text) if not one.overlaps(unread))]


def _open_access(text: str) -> Iterator[PaperSpan]:
    for match in _OPEN_ACCESS.finditer(text):
        walled = match["paywalled"] or match["closed"]
        denied = bool(match["not"]) or (walled and _NO_WALL.search(text[: match.start()]) is not None)
        is_open = denied if walled else not denied
        value = "open access" if is_open else "not open access"
        yield PaperSpan(match.start(), match.end(), "constraint", value, {"open_access": is_open})


def _preferences(text: str) -> Iterator[PaperSpan]:
    for name, pattern in _PREFERENCES:
        for match in pattern.finditer(text):
            yield PaperSpan(match.start(), match.end(), "constraint", f"{name} first", {"preferences": (name,)})
