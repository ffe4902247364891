"""Tell what a repository is from what it only mentions."""

import re
from typing import Literal

from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.repository_text import note_of
from goldpan.kinds.repositories.vocabulary import platform_of
from goldpan.text import name_terms, terms

Relation = Literal["is", "mentions"]
MAX_DESCRIPTION, MAX_CONTEXT = 1000, 120
"""Characters of a description that are read, and of the text before a name."""
_TURNED_AWAY = re.compile(
    r"(?:\b(?:without|no|not|non|never|unlike|like|than|vs|versus|from|replac\w+|instead of|similar to|inspired by"
    r"|alternatives? (?:to|for)|clones? of|free of|drop\w*|independent of|need)\s+(?:an?\s+|the\s+|any\s+)?|\bnon-)$"
)
"""What stands before a name that the repository is not."""
_ONLY_WITH = re.compile(
    r"\b(?:works? with|compatible with|supports?|supporting|support for|including|such as|integrat\w+ with)"
    r"(?:[\w .]+(?:,|and|or|&))*\s*$"
)
_TURNED_AWAY_AFTER = re.compile(
    r"^[\s-]*(?:free\b|less\b|like\b|style\b|inspired\b|alternatives?\b|replacements?\b|clones?\b|compatible\b|to\s|support"
    r"|(?:team|developers|authors|creators|makers|people|organization)\b)"
)
_REPLACED = re.compile(r"(?:replac\w+|alternatives?|clones?|instead|unlike|compatible|drop|similar|like)\b")
"""What says, next to a name, that the repository is for people who would use the named thing; a topic names it too."""
_MADE_WITH = re.compile(
    r"(?:\b(?:in|with|on|using|uses|by|for|an?|the|based|powered|pure|modern|simple|native|official)\s+"
    r"|\b(?:built|made|created|developed|written|powered|based)\s+(?:with|by|on|in|using)\s[\w\s.,&+/-]{0,60}"
    r"|(?:\u57fa\u4e8e|\u4f7f\u7528|\u91c7\u7528)\s*)$"
)
"""The last three are Chinese: based on, uses, adopts."""
_OF_IT = re.compile(
    r"^[\s-]*(?:(?:based|powered|driven|native|desktop)\b"
    r"|(?:[\w-]+\s){0,2}(?:apps?|applications?|plugins?|librar\w+|frameworks?|wrappers?|components?|bindings?|clients?"
    r"|ports?|extensions?|packages?|modules?|projects?)\b)"
)
_NEGATED_NAME = frozenset({"no", "non", "not", "without", "dont", "un", "de", "altern", "replac", "free"})


def relation_to(repository: Repository, name: str) -> Relation | None:
    """Return whether the repository is of the named thing, or only mentions it; None if it has no such word.

    It is one if its name, a topic or its language says so, or its description says so in words such as "Electron app",
    "built with Electron" or "for Electron"; not after "without", "alternative to" and the like.
    """
    platform = platform_of(name)
    spellings = dict.fromkeys((name.casefold(), platform.name if platform else name.casefold()))
    said = " . ".join(filter(None, (repository.description, note_of(repository))))
    relations: list[Relation | Literal["replaces"] | None] = [_in_description(said, spelling) for spelling in spellings]
    in_topics = [_in_topics(repository, spelling) for spelling in spellings]
    relations += ["mentions" if "replaces" in relations and one else one for one in in_topics]
    relations += [_in_name(repository, spelling) for spelling in spellings]
    if "is" in relations or (repository.language or "").casefold() in spellings:
        return "is"
    if any(relations):
        return "mentions"
    readme = f" {' '.join(terms(repository.readme or repository.curator_text))} "
    return "mentions" if any(f" {' '.join(terms(spelling))} " in readme for spelling in spellings) else None


def _in_name(repository: Repository, name: str) -> Relation | None:
    own = name_terms(repository.full_name.partition("/")[2])
    wanted = terms(name)
    starts = [i for i in range(len(own)) if wanted and own[i : i + len(wanted)] == wanted]
    if not starts:
        return None
    return "mentions" if not _NEGATED_NAME.isdisjoint(own) else "is"


def _in_topics(repository: Repository, name: str) -> Relation | None:
    slug = "-".join(name.split())
    topics = [topic.casefold() for topic in repository.topics]
    if slug in topics or f"{slug}js" in topics:
        return "is"
    return "mentions" if any(slug in topic.split("-") for topic in topics) else None


def _in_description(description: str, name: str) -> Relation | Literal["replaces"] | None:
    text = re.sub(r"\s+", " ", description[:MAX_DESCRIPTION].casefold())
    relation: Relation | Literal["replaces"] | None = None
    pattern = rf"(?<![a-z0-9_-]){re.escape(name)}(?:\.?js)?s?(?![a-z0-9_])|(?<=non-){re.escape(name)}(?![a-z0-9_])"
    for match in re.finditer(pattern, text):
        before, after = text[: match.start()][-MAX_CONTEXT:], text[match.end() :]
        relation = relation or "mentions"
        turned_away = (_TURNED_AWAY.search(before), _TURNED_AWAY_AFTER.search(after))
        if any(turned_away) or _ONLY_WITH.search(before):
            if any(found and _REPLACED.search(found[0]) for found in turned_away):
                relation = "replaces"
            continue
        if not before.strip() or _MADE_WITH.search(before) or _OF_IT.search(after):
            return "is"
    return relation
