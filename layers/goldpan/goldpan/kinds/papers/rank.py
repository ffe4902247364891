"""Rank: verdicts become the ranked section, with its facets: the PaperCollection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from goldpan.contracts import SearchRequest
from goldpan.engine.scoring import scoring_errors
from goldpan.engine.stage_values import KindResult
from goldpan.kinds.papers.constraint_checks import UNVERIFIED_FACTOR, mention_caveat, unverified_caveat
from goldpan.kinds.papers.facets import facets
from goldpan.kinds.papers.likeness import liked_ids, liked_notes
from goldpan.kinds.papers.models import KIND, Candidate, PaperVerdict, Shortlist, Translation, Verdict
from goldpan.kinds.papers.named_repositories import named_paper
from goldpan.kinds.papers.notices import (
    BELOW_THRESHOLD,
    FEW_RESULTS,
    WEAK,
    WEAK_SHARE,
    cut_warnings,
    dropped_warnings,
    notes,
    ordered_by_rules,
    preferred,
)
from goldpan.kinds.papers.preferences import preferred_order
from goldpan.kinds.papers.results import PaperSection, RankedPaper
from goldpan.kinds.papers.score_rules import rules_only_paper
from goldpan.text import suspicious

MENTION_FACTOR = 0.8
"""By which a paper's place is lowered if it mentions what was to be left out."""
RETRACTED = "Retracted."


@dataclass(frozen=True)
class _Scored:
    """A result, and what it is ordered by."""

    result: RankedPaper
    order: float


def rank(
    shortlist: Shortlist,
    verdicts: Sequence[Verdict],
    translation: Translation,
    request: SearchRequest,
    now: datetime,
) -> KindResult:
    """Order the scored papers and describe the first ones; a paper without a verdict is scored by the rules."""
    given = {paper.id: paper for verdict in verdicts for paper in verdict.papers}
    considered = [candidate for task in shortlist.tasks for candidate in task.candidates]
    liked = liked_ids((candidate.merged for candidate in considered), translation.intent)
    candidates = [candidate for candidate in considered if candidate.merged.id not in liked]
    scored = [
        _scored(candidate, given.get(candidate.merged.id) or rules_only_paper(candidate), translation, now)
        for candidate in candidates
    ]
    kept, cut = _kept(scored, request.config.relevance_threshold)
    shown = [one.result for one in sorted(kept, key=_sort_key(request.sort))[: request.max_results]]
    by_id = {candidate.merged.id: candidate.merged for candidate in candidates}
    merged = [by_id[paper.id] for paper in shown]
    section = PaperSection(
        total_candidates=shortlist.total_candidates,
        shortlisted=len(candidates),
        dropped={**shortlist.dropped, **cut},
        results=tuple(shown),
        facets=facets(shown, f"{request.query} {translation.intent.topic}"),
    )
    return KindResult(
        kind=KIND,
        interpretation=translation.interpretation,
        section=section,
        sources=shortlist.sources,
        errors=(
            *translation.errors,
            *shortlist.errors,
            *scoring_errors((one.failure for one in verdicts), now),
        ),
        warnings=(
            *translation.warnings,
            *shortlist.warnings,
            *preferred(translation),
            *liked_notes(translation.intent, liked.values()),
            *ordered_by_rules(shortlist, given),
            *notes(verdicts),
            *_shortage_warnings(len(shown), cut, shortlist, translation, request),
        ),
        usage=sum((verdict.usage for verdict in verdicts), translation.usage + shortlist.usage),
        named=tuple(map(named_paper, merged)) if len(request.kinds) > 1 else (),
    )


def _shortage_warnings(
    shown: int, cut: Mapping[str, int], shortlist: Shortlist, translation: Translation, request: SearchRequest
) -> Iterator[str]:
    """Say what the rules dropped if few papers are shown, and how many weak ones were left out."""
    if shown < min(FEW_RESULTS, request.max_results):
        yield from dropped_warnings(shortlist.dropped, translation.intent.constraints)
    yield from cut_warnings(cut, request.config.relevance_threshold)


def _scored(candidate: Candidate, verdict: PaperVerdict, translation: Translation, now: datetime) -> _Scored:
    order = preferred_order(verdict.relevance, candidate.merged.paper, translation.intent, now)
    order *= (MENTION_FACTOR if candidate.mentions else 1) * (UNVERIFIED_FACTOR if candidate.unverified else 1)
    return _Scored(_describe(candidate, verdict), order)


def _kept(scored: Sequence[_Scored], threshold: float | None) -> tuple[list[_Scored], dict[str, int]]:
    """Leave out weak papers, and count them by rule.

    The language model's scale has anchors, so a threshold holds for it; the rules' has none, so the best one is the
    measure. A threshold of None leaves out nothing that the language model scored.
    """
    best = max((one.result.relevance for one in scored if one.result.basis == "rules"), default=0.0)
    kept: list[_Scored] = []
    cut = Counter[str]()
    for one in scored:
        by_model = one.result.basis == "llm"
        least = (threshold or 0.0) if by_model else WEAK_SHARE * best
        if one.result.relevance >= least:
            kept.append(one)
        else:
            cut[BELOW_THRESHOLD if by_model else WEAK] += 1
    return kept, dict(cut)


def _sort_key(sort: str) -> Callable[[_Scored], tuple[object, ...]]:
    """Return the sort key: the fact to sort by, then the order; unknown facts last.

    Ties by relevance, citations, year (each descending), title, id.
    """

    def fact(paper: RankedPaper) -> int | None:
        return {"citations": paper.citations, "year": paper.year}.get(sort)

    def place(one: _Scored) -> tuple[object, ...]:
        paper = one.result
        return (
            *_descending(fact(paper)),
            -one.order,
            *_descending(paper.citations),
            *_descending(paper.year),
            paper.title.casefold(),
            paper.id,
        )

    return place


def _descending(value: int | None) -> tuple[bool, int]:
    return (value is None, -(value or 0))


def _describe(candidate: Candidate, verdict: PaperVerdict) -> RankedPaper:
    merged, paper = candidate.merged, candidate.merged.paper
    copied = {name: value for name, value in paper if name in RankedPaper.model_fields}
    return RankedPaper.model_validate(
        copied
        | {
            "id": merged.id,
            "abstract": paper.abstract or paper.snippet,
            "unverified": candidate.unverified,
            "relevance": verdict.relevance,
            "reasoning": verdict.reasoning,
            "basis": verdict.basis,
            "found_by": merged.found_by,
            "versions": merged.versions,
            "provenance": merged.provenance,
            "caveats": tuple(dict.fromkeys((*verdict.caveats, *_caveats(candidate)))),
        }
    )


def _caveats(candidate: Candidate) -> Iterator[str]:
    paper = candidate.merged.paper
    if paper.retracted:
        yield RETRACTED
    if candidate.unverified:
        yield unverified_caveat(candidate.unverified)
    if candidate.mentions:
        yield mention_caveat(candidate.mentions)
    texts = (paper.title, paper.abstract, paper.snippet, paper.venue)
    if caveat := next((caveat for text in texts if (caveat := suspicious(text))), None):
        yield caveat
