"""Copies: one project under several names, such as a mirror, a fork that took over, or a former owner's repository.

GitHub redirects a former name, and GitHub's search returns a project once; a catalogue may hold each name that a list
ever used, with the facts of its time.
"""

import re
from collections.abc import Sequence

from goldpan.infra.encoder.port import Encoder, similarity
from goldpan.kinds.repositories.candidates import Candidate
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.repository_text import nameless_text
from goldpan.text import name_terms, terms, words

MIN_CLOSENESS = 0.85
"""Of 543 pairs of one name that are as close, all but a few of a sample were one project."""
MIN_CLOSENESS_OF_OWN_NAME, MIN_OWN_NAME = 0.75, 5
"""The same where the name is no word of either description: few projects share a name such as “etcher”."""
MIN_WORDS = 5
"""An owner may describe several projects by the same few words."""
_SEPARATOR = re.compile(r"[-_.]")
Key = tuple[str, ...]
"""What a copy shares with it: the name, or the owner and the description."""


def without_copies(candidates: Sequence[Candidate], encoder: Encoder | None) -> list[Candidate]:
    """Leave out the copies of a repository: of several, the one with more stars stays, if its last push is known."""
    ordered = sorted(candidates, key=lambda one: (one.repository.pushed_at is None, -(one.repository.stars or 0)))
    kept: dict[Key, list[Repository]] = {}
    copies: set[str] = set()
    for repository in (candidate.repository for candidate in ordered):
        owner, _, name = repository.full_name.lower().partition("/")
        described = words(repository.description)
        keys: list[Key] = [("name", name)]
        keys += [("description", owner, *described)] if len(described) >= MIN_WORDS else []
        if any(_same(repository, known, encoder) for key in keys for known in kept.get(key, ())):
            copies.add(repository.full_name)
            continue
        for key in keys:
            kept.setdefault(key, []).append(repository)
    return [candidate for candidate in candidates if candidate.repository.full_name not in copies]


def _same(one: Repository, other: Repository, encoder: Encoder | None) -> bool:
    """Report whether two repositories that share a name, or an owner and a description, are one project."""
    name, known = (repository.full_name.partition("/")[2].lower() for repository in (one, other))
    if name != known:
        parts = [{*_SEPARATOR.split(each)} for each in (name, known)]
        return min(parts, key=len) < max(parts, key=len)
    if words(one.description) == words(other.description):
        return bool(one.description)
    languages = {repository.language.lower() for repository in (one, other) if repository.language}
    texts = [nameless_text(repository) for repository in (one, other)]
    if encoder is None or len(languages) > 1 or not all(texts):
        return False
    is_own = len(name) >= MIN_OWN_NAME and not {*name_terms(name)} & {*terms(" ".join(texts))}
    return similarity(*encoder.encode(texts)) >= (MIN_CLOSENESS_OF_OWN_NAME if is_own else MIN_CLOSENESS)
