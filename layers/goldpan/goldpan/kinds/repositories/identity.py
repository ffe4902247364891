"""Tell what a repository is from what it only mentions."""

import re
from collections.abc import Iterator
from typing import Literal

from goldpan.kinds.checks import Relation
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.repository_text import note_of
from goldpan.kinds.repositories.vocabulary import platform_of
from goldpan.text import name_terms, terms

MAX_DESCRIPTION, MAX_CONTEXT = 1000, 120
"""Characters of a description that are read, and of the text before a name."""
_OTHER_BEFORE = re.compile(
    r"(?:\b(?:without|no|not|non|never|unlike|like|than|vs|versus|from|replac\w+|instead of|similar to|inspired by"
    r"|alternatives? (?:to|for)|clones? of|free of|drop\w*|independent of|need)\s+(?:an?\s+|the\s+|any\s+)?|\bnon-"
    r"|\b(?:works? with|compatible with|supports?|supporting|support for|including|such as|integrat\w+ with)"
    r"(?:[\w .]+(?:,|and|or|&))*\s*)$"
)
"""What stands before a name that the repository is not, or only works with."""
_OTHER_AFTER = re.compile(
    r"^[\s-]*(?:free\b|less\b|like\b|style\b|inspired\b|alternatives?\b|replacements?\b|clones?\b|compatible\b|to\s|support"
    r"|(?:team|developers|authors|creators|makers|people|organization)\b)"
)
_MADE_WITH = re.compile(
    r"(?:\b(?:in|with|on|using|uses|by|for|an?|the|based|powered|pure|modern|simple|native|official)\s+"
    r"|\b(?:built|made|created|developed|written|powered|based)\s+(?:with|by|on|in|using)\s[\w\s.,&+/-]{0,60}"
    r"|(?:\u57fa\u4e8e|\u4f7f\u7528|\u91c7\u7528)\s*|^\s*)$"
)
"""The last but one are Chinese: based on, uses, adopts."""
_OF_IT = re.compile(
    r"^[\s-]*(?:(?:based|powered|driven|native|desktop)\b"
    r"|(?:[\w-]+\s){0,2}(?:apps?|applications?|plugins?|librar\w+|frameworks?|wrappers?|components?|bindings?|clients?"
    r"|ports?|extensions?|packages?|modules?|projects?)\b)"
)
_NEGATED_NAME = frozenset({"no", "non", "not", "without", "dont", "un", "de", "altern", "replac", "free"})


def relation_to(repository: Repository, name: str) -> Relation | None:
    """Return whether the repository is of the named thing, or only mentions it; None if it has no such word.

    It is one if its language is, or its description says so in words such as "Electron app" or "built with Electron".
    Its name or a topic makes it one too, unless the description says "without", "alternative to" and the like.
    """
    platform = platform_of(name)
    spellings = dict.fromkeys((name.casefold(), platform.name if platform else name.casefold()))
    said = " . ".join(filter(None, (repository.description, note_of(repository))))
    described = {relation for spelling in spellings for relation in _in_description(said, spelling)}
    labels = {relation for spelling in spellings for relation in _in_labels(repository, spelling)}
    is_labelled = "is" in labels and "other" not in described
    if is_labelled or "is" in described or (repository.language or "").casefold() in spellings:
        return "is"
    readme = f" {' '.join(terms(repository.readme or repository.curator_text))} "
    in_readme = any(f" {' '.join(terms(spelling))} " in readme for spelling in spellings)
    return "mentions" if described or labels or in_readme else None


def _in_labels(repository: Repository, name: str) -> Iterator[Relation]:
    """Yield what the name of the repository and its topics say."""
    own, wanted = name_terms(repository.full_name.partition("/")[2]), terms(name)
    if wanted and any(own[i : i + len(wanted)] == wanted for i in range(len(own))):
        yield "is" if _NEGATED_NAME.isdisjoint(own) else "mentions"
    slug = "-".join(name.split())
    for topic in map(str.casefold, repository.topics or ()):
        if slug in topic.split("-") or topic in {slug, f"{slug}js"}:
            yield "is" if topic in {slug, f"{slug}js"} else "mentions"


def _in_description(description: str, name: str) -> Iterator[Relation | Literal["other"]]:
    """Yield what each place of a name says; "other" is what the repository only works with, replaces or lacks."""
    text = re.sub(r"\s+", " ", description[:MAX_DESCRIPTION].casefold())
    end = r"(?![a-z0-9_#]|\+\+)"  # C++ is not C
    pattern = rf"(?<![a-z0-9_-]){re.escape(name)}(?:\.?js)?s?{end}|(?<=non-){re.escape(name)}{end}"
    for match in re.finditer(pattern, text):
        before, after = text[: match.start()][-MAX_CONTEXT:], text[match.end() :]
        if _OTHER_BEFORE.search(before) or _OTHER_AFTER.search(after):
            yield "other"
        else:
            yield "is" if _MADE_WITH.search(before) or _OF_IT.search(after) else "mentions"
