"""What a record says of its identity, and clusters of the records that share an identifier, in a chain."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from urllib.parse import urlsplit

from goldpan.identities import arxiv_of_doi, normalise_arxiv
from goldpan.kinds.papers.deduplication.pairs import Facts, read_facts
from goldpan.kinds.papers.deduplication.preprints import preprint_mark, published_doi, without_version
from goldpan.kinds.papers.identifiers import NORMALISERS, normalise_url
from goldpan.kinds.papers.models import Paper

Key = tuple[str, str]
"""The system of an identifier, and the identifier in its normal form."""
_NAMES = {
    "doi": "DOI",
    "arxiv": "arXiv id",
    "pmid": "PMID",
    "pmcid": "PMCID",
    "openalex": "OpenAlex id",
    "semantic_scholar": "Semantic Scholar id",
    "corpus": "Semantic Scholar number",
    "google_scholar": "Google Scholar id",
    "acl": "ACL Anthology id",
    "dblp": "DBLP key",
    "mag": "MAG number",
    "library": "id in the library",
}
_ARXIV_VENUE = re.compile(r"\b(?:arXiv\s*:\s*|CoRR,?\s+abs/)(\S*\d)", re.IGNORECASE)
"""How exports write the id in the place of a venue: "arXiv preprint arXiv:1706.03762"."""
_OTHER = ("acl", "dblp", "mag", "library")
"""Systems of `other` whose identifiers name one paper everywhere, an id in a library with the name of its project; any
other may be a number of one user."""
_LISTING = re.compile(
    r"(?:^|[/.])(?:about|archives?|authors?|browse|current|home|index|issues?|journals?|loi|people|profile|search|serial"
    r"|toc|users?|vol(?:ume)?s?)(?=[/.?]|$)|publicationissue|recentissue|punumber=",
    re.IGNORECASE,
)
"""Addresses of journals, issues, lists and people."""
_SPECIFIC = re.compile(r"\d{3}|[a-z0-9]+(?:[-_][a-z0-9]+){3}|[?&](?:id|doi|arnumber|pii|article|paper)=", re.IGNORECASE)
"""A number, a title or a parameter that names a paper."""
Marks = frozenset[Key]
"""What contradicts another paper's: published DOIs, arXiv ids, PMIDs, PMCIDs and numbers of preprint servers."""


def contradicting(ones: Marks, others: Marks) -> bool:
    """Return whether there is a system of which both have identifiers and share none."""
    of_both = {system for system, _ in ones} & {system for system, _ in others}
    return not of_both <= {system for system, _ in ones & others}


def normalise(paper: Paper) -> Paper:
    """Return a record with its identifiers in their normal forms; one that no rule can read stays as it is."""
    ids = paper.ids
    known = {name: normalised(getattr(ids, name)) for name, normalised in NORMALISERS.items()}
    if not ids.arxiv and (stated := _ARXIV_VENUE.search(paper.venue or "")):
        known["arxiv"] = normalise_arxiv(stated[1])
    changed = {name: value for name, value in known.items() if value and value != getattr(ids, name)}
    return paper.model_copy(update={"ids": ids.model_copy(update=changed)}) if changed else paper


def identifier_keys(paper: Paper) -> Iterator[Key]:
    """Yield the identifiers of a record, each once in its normal form; those in its address too."""
    ids = paper.ids
    found = {name: normalised(getattr(ids, name)) or normalised(paper.url) for name, normalised in NORMALISERS.items()}
    found["arxiv"] = arxiv_of_doi(found["doi"]) or found["arxiv"] or normalise_arxiv(paper.pdf_url)
    found["doi"] = without_version(found["doi"] or "")
    known = {name.lower(): value for name, value in ids.other.items()}
    found |= {"corpus": ids.corpus, "google_scholar": ids.google_scholar, **{name: known.get(name) for name in _OTHER}}
    yield from ((name, value.strip()) for name, value in found.items() if value and value.strip())


def address_key(paper: Paper) -> str | None:
    """Return the address of a record if it is likely that of one paper."""
    address = normalise_url(paper.url)
    if address is None or _LISTING.search(address):
        return None
    parts = urlsplit(f"//{address}")
    return address if _SPECIFIC.search(f"{parts.path}?{parts.query}") else None


def marks(keys: Iterable[Key]) -> Marks:
    """Collect what contradicts the identifiers of another paper."""
    found: set[Key | None] = set()
    for system, value in keys:
        if system == "doi":
            found.add((system, value) if published_doi(value) else preprint_mark(value))
        elif system in {"arxiv", "pmid", "pmcid"}:
            found.add(("arXiv" if system == "arxiv" else system, value))
    return frozenset(filter(None, found))


WHOLE = "record"
"""The system of the key of records that say the same in every field."""
JUDGED_SAME = "judged the same paper by the language model"


@dataclass(frozen=True)
class Cluster:
    """The records of one identifier: their positions, what is compared of them, and why they are one."""

    places: tuple[int, ...]
    facts: tuple[Facts, ...]
    marks: Marks
    reasons: tuple[str, ...]

    @cached_property
    def years(self) -> frozenset[int]:
        """The years that its records give: of a preprint, a publication, or a later version."""
        return frozenset(each.year for each in self.facts if each.year)

    @cached_property
    def numbers(self) -> frozenset[frozenset[str]]:
        """The numbers in its titles."""
        return frozenset(frozenset(each.title.marks) for each in self.facts)


def join_by_identifiers(papers: Sequence[Paper], judged: Sequence[Sequence[int]] = ()) -> list[Cluster]:
    """Return the clusters in the order of their first records.

    Positions that are judged together are in one cluster unless their identifiers contradict each other.
    """
    union, first_with, reasons = UnionFind(range(len(papers))), dict[Key, int](), dict[int, set[str]]()
    facts = [read_facts(paper, address_key(paper)) for paper in papers]
    keys = [list(identifier_keys(paper)) for paper in papers]
    for place, own in enumerate(keys):
        for key in (*own, *_whole_record(facts[place])):
            first = first_with.setdefault(key, place)
            if first != place:
                union.join(first, place)
                same = f"same {_NAMES[key[0]]} {key[1]}" if key[0] != WHOLE else "same record"
                reasons.setdefault(place, set()).add(same)
    for places in judged:
        joined = [[each for each in range(len(papers)) if union.find(each) == union.find(place)] for place in places]
        sets = [marks(key for each in found for key in keys[each]) for found in joined]
        if not any(contradicting(one, other) for one, other in combinations(sets, 2)):
            for place in places[1:]:
                union.join(places[0], place)
            reasons.setdefault(places[0], set()).add(JUDGED_SAME)
    return [
        Cluster(
            places=tuple(places),
            facts=tuple(facts[place] for place in places),
            marks=marks(key for place in places for key in keys[place]),
            reasons=tuple(sorted({reason for place in places for reason in reasons.get(place, ())})),
        )
        for places in union.sets()
    ]


def _whole_record(facts: Facts) -> list[Key]:
    """Return a key of all that a record says; none for a record that says too little to be one paper."""
    paper = facts.paper
    if not facts.title.compact or (facts.title.is_generic and not (paper.venue and paper.year and paper.authors)):
        return []
    return [(WHOLE, paper.model_dump_json(exclude={"source", "citations", "snippet"}))]


class UnionFind:
    """Numbers in sets: at first each of the given ones in a set of its own, then those of linked ones together."""

    def __init__(self, items: Iterable[int] = (), links: Iterable[tuple[int, int]] = ()) -> None:
        self._parents = {item: item for item in items}
        for one, other in links:
            self.join(one, other)

    def find(self, item: int) -> int:
        """Return the number that stands for the set of the item."""
        parents = self._parents
        while parents.setdefault(item, item) != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Unite the sets of two items; the smaller of the numbers that stand for them stands for both."""
        first, second = sorted((self.find(one), self.find(other)))
        self._parents[second] = first

    def sets(self) -> list[list[int]]:
        """Return the sets, each sorted, in the order of their smallest numbers."""
        found: dict[int, list[int]] = {}
        for item in sorted(self._parents):
            found.setdefault(self.find(item), []).append(item)
        return list(found.values())
