"""Recognize authors ("by Geoffrey Hinton", "Hinton's papers") and liked papers ("like arXiv:1706.03762")."""

import re
from itertools import takewhile

from goldpan.identities import find_papers
from goldpan.kinds.papers.question import PaperSpan, cue
from goldpan.kinds.papers.question.lexicon import LEXICON
from goldpan.kinds.papers.vocabulary import vocabulary
from goldpan.known_words import known_words
from goldpan.question.question_text import QUOTE, QuestionText, apart, without
from goldpan.text import words

IDS = ("arXiv:", "10.")
"""What the name of a liked paper begins with that is an id and no title."""


def find_authors(text: str, source: QuestionText) -> list[PaperSpan]:
    """Find the names of authors; an institution or a method after "by" is none."""
    found: list[PaperSpan] = []
    for rule in ("cited", "field", "by", "doing", "of"):
        for match in cue("authors", rule).finditer(source.text if rule == "cited" else text):
            if not (rule == "by" and _is_agent(text, match)):
                found += _named(match, source)
    for match in cue("authors", "lower").finditer(text):
        parts = [*takewhile(lambda word: not LEXICON.is_vague(word), (match["owner"] or match["names"]).split())]
        is_method = any(word in LEXICON.words["no_author"] or word in vocabulary().words for word in parts)
        name = "" if is_method else " ".join(parts)
        if name and match["owner"] in (None, name):
            end = match.end() if match["owner"] else match.start("names") + len(name)
            found.append(_author(match.start("owner" if match["owner"] else "by"), end, name))
    return apart(found)


def _named(match: re.Match[str], source: QuestionText) -> list[PaperSpan]:
    """Return the people whom a match names, and the year of a citation."""
    said = match.groupdict()
    start = match.end("works") if said.get("works") else match.start()
    listed = cue("authors", "separator").split(source.typed(*match.span("names")))
    is_quoted = QUOTE in match["names"]
    names = [name for name in listed if is_quoted or _is_person(name, is_known=bool(said.get("works")))]
    end = match.end()
    if names and len(names) < len(listed):  # something else follows: "by Hinton and Monte Carlo"
        end = source.text.index(names[-1], match.start()) + len(names[-1])
    found = [_author(start, end, name) for name in names]
    if found and said.get("year"):
        year = int(said["year"])
        found.append(PaperSpan(start, end, "constraint", f"in {year}", {"year_from": year, "year_to": year}))
    return found


def _author(start: int, end: int, name: str) -> PaperSpan:
    plain = name if re.search(r"\b[A-Z]\.$", name) else name.rstrip(".")
    return PaperSpan(start, end, "constraint", f"by {plain}", {"authors": (plain,)})


def _is_agent(text: str, match: re.Match[str]) -> bool:
    """Report whether the name after "by" does something in a sentence: "genes regulated by Esrrb"."""
    if cue("authors", "done_by").search(text[: match.start()]):
        return True
    alone = cue("authors", "surname").fullmatch(match["names"]) and cue("authors", "follows").match(text, match.end())
    return not (alone or re.search(rf"\s|{QUOTE}", match["names"]))


def _is_person(name: str, *, is_known: bool) -> bool:
    """Report whether a name may be a person's; after "papers by" it may look like any word."""
    parts = words(name)
    is_plain = not is_known and all(known_words().get(part) for part in parts)  # "sorting by Natural Selection"
    if is_plain or (name.isupper() and len(name) > 1 and "." not in name):
        return False
    refused = LEXICON.words["no_author"] | (LEXICON.words["determiner"] if is_known else LEXICON.words["asking"])
    return refused.isdisjoint(parts) and vocabulary().find(name) is None


def find_likenesses(source: QuestionText) -> list[PaperSpan]:
    """Find liked papers by identifier, quoted title, or a title up to the end of its clause."""
    found: list[PaperSpan] = []
    for rule in ("id", "first_id", "quoted", "titled"):
        for match in cue("likeness", rule).finditer(without(source.text, found)):
            typed = source.typed(*match.span("name"))
            is_id = rule.endswith("id")
            name = _identity(f"arXiv:{typed}" if rule == "first_id" else typed) if is_id else _title(typed)
            value = name if is_id and not match["like"] else f"like {name}"
            if name:
                found.append(PaperSpan(match.start(), match.end("name"), "likeness", value, names=(name,)))
    return found


def _identity(text: str) -> str:
    plain = re.sub(r"^(arxiv|doi)(?:\s*:\s*|\s+(?:id\s+)?)", r"\1:", text.strip("\"'` "), flags=re.IGNORECASE)
    identity, _ = next(find_papers(plain), ("", ""))
    system, _, name = identity.partition(":")
    return f"arXiv:{name}" if system == "arxiv" else name


def _title(text: str) -> str:
    """Return a title, nothing if it begins with a word such as "these", or only asks."""
    plain = " ".join(text.strip("\"'` ").split())
    said = plain.lower().split()
    is_title = plain[:1].isupper() or LEXICON.is_content(said[0]) if said else False
    return plain if is_title and any(map(LEXICON.is_content, said)) else ""
