"""Candidates in the order of the rules-only relevance, with the words that earned it and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from goldpan.contracts import Unit
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.candidates import Candidate
from goldpan.kinds.repositories.constraint_checks import Check, check
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.relevance import ABOVE_SHARE, Match, Matcher

UNCHECKED = Check()


@dataclass(frozen=True)
class RankedCandidate:
    """A candidate, its rules-only relevance, the words that earned it, and how it meets the constraints."""

    candidate: Candidate
    relevance: Unit = 1.0
    evidence: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    found: Check = UNCHECKED


def by_relevance(
    candidates: Sequence[Candidate], params: SearchParams, encoder: Encoder | None
) -> list[RankedCandidate]:
    """Sort by relevance, equal ones by the agreement of the strategies."""
    with CPU_LOCK:
        matches = Matcher(params, encoder).match([candidate.repository for candidate in candidates])
    return sorted(map(_ranked, candidates, matches), key=_sort_key)


def _ranked(candidate: Candidate, match: Match) -> RankedCandidate:
    return RankedCandidate(candidate, match.relevance, match.evidence)


def _sort_key(ranked: RankedCandidate) -> tuple[float, float, int, str]:
    repository = ranked.candidate.repository
    return (-ranked.relevance, -ranked.candidate.agreement, -(repository.stars or 0), repository.full_name.lower())


def certain_first(ranked: Sequence[RankedCandidate], constraints: Constraints, today: date) -> list[RankedCandidate]:
    """Put what meets every constraint for certain before what is unverified, unless it is far less relevant."""
    checked = [replace(each, found=check(each.candidate.repository, constraints, today)) for each in ranked]
    best = max((each.relevance for each in checked if each.found.unverified), default=0.0)

    def group(each: RankedCandidate) -> int:
        return 1 if each.found.unverified else 0 if each.relevance >= ABOVE_SHARE * best else 2

    return sorted(checked, key=group)


def with_close_words(
    ranked: Sequence[RankedCandidate], params: SearchParams, encoder: Encoder | None
) -> list[RankedCandidate]:
    """Add to the evidence the words that are close in meaning to those of the question, and say what is missing."""
    matcher = Matcher(params, encoder)
    return [
        replace(
            each,
            evidence=(*each.evidence, *matcher.closest_words(each.candidate.repository)),
            missing=tuple(matcher.missing(each.candidate.repository)),
        )
        for each in ranked
    ]
