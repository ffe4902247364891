"""What the results are to be like: "alternative to X", "X clone", "something like X"."""

import re
from collections.abc import Iterator

from goldpan.kinds.repositories.question.lexicon import LEXICON, RepositorySpan, cue
from goldpan.kinds.repositories.vocabulary import platform_of, vocabulary
from goldpan.question.question_text import QUOTE, TOKEN, QuestionText, apart, plain
from goldpan.question.things import phrase_ends
from goldpan.text import phrase

MAX_NAME_WORDS = 4
Place = tuple[int, int]
"""Where a name, or what asks for something like it, begins and ends."""


def find_likenesses(text: str, source: QuestionText) -> list[RepositorySpan]:
    """Find the names that the results are to be like; `source` has the texts of the quoted ones."""
    found = (*_before_kind(text), *_after_cue(text), *_with_suffix(text))
    return apart(
        like(*place, tuple(source.typed(*one) if text[one[0]] == QUOTE else plain(text[slice(*one)]) for one in names))
        for place, names in found
    )


def like(start: int, end: int, names: tuple[str, ...]) -> RepositorySpan:
    """Make a span that asks for what is like these names."""
    return RepositorySpan(start, end, "likeness", f"like {' or '.join(names)}", names=names)


def _before_kind(text: str) -> Iterator[tuple[Place, list[Place]]]:
    """Find "X alternative"; "voice clone", and "React alternatives for ..." ask for something else."""
    for match in cue("likeness", "after_name").finditer(text):
        start = _name_before(text, match.start())
        name = text[start : match.start()].strip()
        is_name = LEXICON.may_be_name(name) or match["clone"] is None or match["noun"] is not None
        if name and is_name and (match["for"] is None or platform_of(name) is None):
            yield (start, match.end("kind")), [(start, match.start())]


def _after_cue(text: str) -> Iterator[tuple[Place, list[Place]]]:
    """Find "alternative to X or Y", "lighter than X" and "a tool like X"."""
    for rule in ("before_name", "than", "like"):
        for match in cue("likeness", rule).finditer(text):
            names = _names_from(text, match.end())
            if names and _is_likeness(rule, match, text[slice(*names[0])]):
                yield (match.start("cue"), names[-1][1]), names


def _is_likeness(rule: str, match: re.Match[str], name: str) -> bool:
    """Report whether a cue compares: "would like", "faster than C" and "features like undo" do not."""
    if rule == "than":
        platform = platform_of(name)
        return name[0].isalpha() and not (platform and platform.language_filter)
    if rule != "like":
        return True
    before = (match["before"] or "").lower()
    free = before in LEXICON.words["anything"] or before in LEXICON.words["form"] or before in ",;:"
    is_name = LEXICON.may_be_name(name) or (_is_rare(name) and not before.endswith("s"))
    return before not in LEXICON.words["no_likeness"] and (free or is_name)


def _with_suffix(text: str) -> Iterator[tuple[Place, list[Place]]]:
    """Find "Excel-like", and "airtable but self-hosted" at the beginning."""
    for match in cue("likeness", "suffix").finditer(text):
        if LEXICON.may_be_name(match["name"]) or platform_of(match["name"]):
            yield match.span(), [match.span("name")]
    opening = cue("likeness", "opening").match(text)
    if opening and not platform_of(opening["name"]) and _is_rare(opening["name"]):
        yield opening.span("name"), [opening.span("name")]


def _names_from(text: str, start: int) -> list[Place]:
    if begin := cue("likeness", "determiner").match(text, start):
        start = begin.end()
    names: list[Place] = []
    while (end := _name_end(text, start)) > start and (not names or _is_further(text, names, (start, end))):
        names.append((start, end))
        link = cue("likeness", "link").match(text, end)
        start = link.end() if link else len(text)
    return names


def _is_further(text: str, names: list[Place], place: Place) -> bool:
    """Report whether a name continues a list of names, rather than what is asked for: "like Notion, in React"."""
    name, link = text[slice(*place)], text[names[-1][1] : place[0]].strip().lower()
    is_name, is_platform = LEXICON.may_be_name(name), platform_of(name) is not None
    if link != ",":
        return is_name or is_platform or "or" in link or len(names) > 1
    if cue("likeness", "closed").match(text, place[1]):  # "vim, emacs and vscode"
        return is_name or _is_rare(name)
    return is_name and not is_platform and cue("likeness", "end").match(text, place[1]) is not None


def _name_end(text: str, start: int) -> int:
    """Return the end of a name of up to four words: known together, or each with a capital."""
    ends = phrase_ends(text, start, MAX_NAME_WORDS)
    if not ends or (_is_common(text[start : ends[-1]]) and not text[start].isupper()):
        return start
    return next((end for end in ends if _is_one_name(text[start:end])), ends[-1])


def _name_before(text: str, end: int) -> int:
    starts = [token.start() for token in TOKEN.finditer(text, 0, end)]
    if not starts or _is_common(text[starts[-1] : end]):
        return end
    return next((start for start in starts[-MAX_NAME_WORDS:] if _is_one_name(text[start:end])), starts[-1])


def _is_one_name(name: str) -> bool:
    """Report whether words are one name: a platform, or several, each with a capital and none a platform."""
    words = name.split(" ")
    return platform_of(name) is not None or all(
        word[:1].isupper() and not platform_of(word) and not _is_common(word) for word in words
    )


def _is_common(token: str) -> bool:
    word = token.lower()
    return LEXICON.is_vague(word) or word in LEXICON.words["no_name"] or phrase(word) in vocabulary().generic


def _is_rare(name: str) -> bool:
    """Report whether a lower-case word can be a name: it is no word of the tables."""
    return phrase(name) not in vocabulary().synonyms and not LEXICON.is_vague(name)
