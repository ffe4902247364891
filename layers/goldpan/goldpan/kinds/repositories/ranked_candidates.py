"""Candidates in the order of the rules-only relevance, with the words that earned it and what is missing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from goldpan.infra.encoder.port import Encoder
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.candidates import Candidate, order
from goldpan.kinds.repositories.constraint_checks import check
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.relevance import ABOVE_SHARE, Matcher


def by_relevance(candidates: Sequence[Candidate], params: SearchParams, encoder: Encoder | None) -> list[Candidate]:
    """Sort by relevance, equal ones by the agreement of the strategies."""
    with CPU_LOCK:
        matches = Matcher(params, encoder).match([candidate.repository for candidate in candidates])
    pairs = zip(candidates, matches, strict=True)
    ranked = [replace(each, relevance=match.relevance, evidence=match.evidence) for each, match in pairs]
    return sorted(ranked, key=lambda each: (-each.relevance, *order(each)))


def certain_first(ranked: Sequence[Candidate], constraints: Constraints, today: date) -> list[Candidate]:
    """Put what meets every constraint for certain before what is unverified, unless it is far less relevant."""
    checked = [replace(each, found=check(each.repository, constraints, today)) for each in ranked]
    best = max((each.relevance for each in checked if each.found.unverified), default=0.0)

    def group(each: Candidate) -> int:
        return 1 if each.found.unverified else 0 if each.relevance >= ABOVE_SHARE * best else 2

    return sorted(checked, key=group)


def with_close_words(ranked: Sequence[Candidate], params: SearchParams, encoder: Encoder | None) -> list[Candidate]:
    """Add to the evidence the words that are close in meaning to those of the question, and say what is missing."""
    matcher = Matcher(params, encoder)
    return [
        replace(
            each,
            evidence=(*each.evidence, *matcher.closest_words(each.repository)),
            missing=tuple(matcher.missing(each.repository)),
        )
        for each in ranked
    ]
