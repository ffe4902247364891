"""Truncates papers and candidates to what a state carries, the least important parts first.

Abstracts often end with the address of the code, by which papers and repositories are linked, so that stays.
"""

import re
from collections.abc import Mapping

from goldpan.engine.payload import json_size, truncate_json
from goldpan.kinds.papers.models import Candidate, MergedPaper, Paper
from goldpan.kinds.papers.person_names import listed

MIN_ABSTRACT_BYTES = 300
"""An abstract is truncated to that before anything else of a paper is left out."""
MAX_ADDRESSES = 3
_PEOPLE = ("authors", "editors")
_HOSTS = ("github.com/", "gitlab.com/", "codeberg.org/")
_REPOSITORY = re.compile(
    rf"(?:https?://)?(?:www\.)?(?:{'|'.join(map(re.escape, _HOSTS))})[\w.-]{{1,100}}/[\w.-]{{0,100}}\w", re.ASCII
)
"""No owner and no name is longer at these hosts, and three addresses leave room for an abstract."""


def truncate_abstract(text: str, max_bytes: int) -> str:
    """Truncate an abstract as JSON, with an ellipsis, and the addresses of repositories of the rest, if they fit."""
    short = truncate_json(text, max_bytes)
    if short == text:
        return short
    named = dict.fromkeys(_REPOSITORY.findall(text)) if any(host in text for host in _HOSTS) else ()
    kept = [address for address in named if address not in short][:MAX_ADDRESSES]
    ending = " ".join(("\u2026", *kept))
    left = max_bytes - len(ending.encode())
    return truncate_json(text, left) + ending if left > 0 else short


def with_short_texts(paper: Paper, most: int) -> Paper:
    """Truncate the abstract and the snippet of a paper so that it fits into a number of bytes, if that is enough."""
    for field in ("snippet", "abstract"):
        text, excess = getattr(paper, field), json_size(paper) - most
        if text and excess > 0:
            least = max(MIN_ABSTRACT_BYTES, len(text.encode()) - excess)
            paper = paper.model_copy(update={field: truncate_abstract(text, least)})
    return paper


Fields = Mapping[str, int]
"""How many values of a field are kept; of a field that has one value, none."""
_REDUCTIONS: tuple[tuple[Fields, Fields], ...] = (
    ({}, {}),
    ({"ids": 3, "versions": 3}, {}),
    ({}, {"authors": 5, "editors": 5}),
    ({"ids": 0, "versions": 0}, {}),
    ({}, {"abstract": 0, "snippet": 0, "pdf_url": 0, "editors": 0, "notices": 0}),
    ({}, {"authors": 0, "url": 0}),
)
"""What is left out of a merged paper and of its facts one after the other, the least important first."""


def fitted(candidate: Candidate, most: int) -> Candidate | None:
    """Return a candidate that fits into `most` bytes, without what matters least; None if its names are too long."""
    merged = candidate.merged
    paper = with_short_texts(merged.paper, most - json_size(candidate) + json_size(merged.paper))
    for merged_fields, paper_fields in _REDUCTIONS:
        paper = paper.model_copy(update=_first(paper, paper_fields))
        merged = merged.model_copy(update=_first(merged, merged_fields) | {"paper": paper})
        candidate = candidate.model_copy(update={"merged": merged})
        if json_size(candidate) <= most:
            return candidate
    return None


def _first(values: MergedPaper | Paper, kept: Fields) -> dict[str, object]:
    found = ((name, getattr(values, name), most) for name, most in kept.items())
    return {
        name: listed(value, most) if name in _PEOPLE else value[:most] if isinstance(value, tuple) else None
        for name, value, most in found
    }
