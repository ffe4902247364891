"""The papers that a repository names: in its README, its description and its homepage."""

from __future__ import annotations

from goldpan.engine.payload import truncate_json
from goldpan.identities import find_papers
from goldpan.kinds.repositories.models import Repository

MAX_PAPERS, IDENTITY_BYTES, EVIDENCE_BYTES = 3, 100, 120
NAMED_BYTES = 1024
"""How much of them a scoring task carries: so many, each with so many bytes, together."""


def named_papers(repository: Repository) -> dict[str, str]:
    """Return the identity of each paper that its texts name, with the evidence; the first of the same paper counts."""
    texts = {
        "homepage": repository.homepage,
        "description": repository.description,
        "README": repository.readme,
    }
    found: dict[str, str] = {}
    for place, text in texts.items():
        for identity, words in find_papers(text or ""):
            if len(found) < MAX_PAPERS and truncate_json(identity, IDENTITY_BYTES) == identity:
                found.setdefault(identity, truncate_json(f"its {place} names {words}", EVIDENCE_BYTES))
    return found
