"""Rank: verdicts become the ranked section, with its facets."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from goldpan.contracts import SearchRequest
from goldpan.engine.answers import named
from goldpan.engine.ranking import MENTION_FACTOR, Divided, Ranking, constraint_caveats, descending, divide, in_order
from goldpan.engine.stage_values import KindResult, Named
from goldpan.identities import find_repositories
from goldpan.kinds.papers.constraint_checks import UNVERIFIED_FACTOR, broken_text, is_retracted, tells_retraction
from goldpan.kinds.papers.facets import facets
from goldpan.kinds.papers.models import (
    KIND,
    Candidate,
    MergedPaper,
    PaperVerdict,
    ParsedIntent,
    Shortlist,
    Translation,
    Verdict,
)
from goldpan.kinds.papers.preferences import TEXTS, order_by
from goldpan.kinds.papers.relevance import ARXIV, DOI, liked_ids
from goldpan.kinds.papers.results import Facets, PaperCollection, RankedPaper
from goldpan.kinds.papers.score import rules_only_paper
from goldpan.text import suspicious

WEAK_SHARE = 0.5
"""A paper that the rules scored stands above the line if it has this share of the relevance of the best such one."""
LAST_JUDGED = 10
"""The papers by which a language model tells whether what follows them by the rules fits too."""
LIKELY: Mapping[str, float] = {"rules": 0.2, "llm": 0.3}
"""Nothing fits if the best relevance is less. The prompt's 0.3 is of the same field only. By the rules 93 of 96
questions reach 0.2 in their own collection of papers, and 99 of 288 in another (scifact, cacm, cranfield, cisi)."""
SCORE_DIGITS = 4
LEFT_OUT = "“{}” itself is left out: the other papers are compared with it."
NO_SUBJECT = "“{}” was not found; its title says more to search for."
TITLE_ALONE = "“{}” was not found: its title alone says what is like it."
RETRACTED = "Retracted."
SORT_VALUES = {name: attrgetter(name) for name in ("citations", "year")}


def rank(
    shortlist: Shortlist, verdicts: Sequence[Verdict], translation: Translation, request: SearchRequest, now: datetime
) -> KindResult:
    """Order the scored papers, and after them what the rules alone score; a paper without a verdict is one of these."""
    return ResultOrganizer(KIND, shortlist, verdicts, translation, request, now).finish()


def liked_notes(intent: ParsedIntent, left_out: Iterable[str]) -> Iterator[str]:
    """Say of each paper that the results are to be like whether it was found."""
    found = set(left_out)
    for like in intent.likes:
        if like in intent.wanted:
            continue
        missing = NO_SUBJECT if like.startswith((ARXIV, DOI)) else TITLE_ALONE
        yield (LEFT_OUT if like in found else missing).format(like)


@dataclass(frozen=True)
class ResultOrganizer(Ranking[Shortlist, Verdict, Translation]):
    """Makes the collection of a search: its papers in their order, divided by the line, with their facets."""

    def finish(self) -> KindResult:
        """Organize what was scored and, as a second part, what the rules alone score, without the liked papers."""
        given = {paper.id: paper for verdict in self.verdicts for paper in verdict.papers}
        judged = {name for name, verdict in given.items() if verdict.basis == "llm"}
        tasks = (self.shortlist.tasks, self.shortlist.further)
        parts = [[each for task in part for each in task.candidates] for part in tasks]
        considered, intent = {each.merged.id: each for part in parts for each in part}, self.translation.intent
        liked = liked_ids((each.merged for each in considered.values()), intent)
        wanted = [[each for each in part if each.merged.id not in liked] for part in parts]
        section = self.organize(wanted, given)
        asked = [each.merged.id for task in self.shortlist.tasks if task.ask_llm for each in task.candidates]
        warnings = (
            *(TEXTS[preference] for preference in dict.fromkeys(intent.preferences)),
            *liked_notes(intent, liked.values()),
            *self.not_judged(asked, judged, sum(map(len, parts))),
            *self.left_out(len(section.results), broken_text),
        )
        named = (named_paper(considered[paper.id].merged) for paper in section.results)
        return self.result(section, [paper.title for paper in section.results], warnings, named)

    def organize(self, candidates: Sequence[Sequence[Candidate]], given: Mapping[str, PaperVerdict]) -> PaperCollection:
        """Organize the candidates of both parts; `given` has verdicts by id."""
        described = [paper for part in candidates for paper in self._ranked(part, given)]
        ranked = in_order(described, SORT_VALUES.get(self.request.sort))
        best = max((each.relevance for part in candidates for each in part), default=0.0)
        threshold = self.request.config.relevance_threshold or 0.0
        scored, further = ([each.merged.id for each in part] for part in candidates)
        judged = [given[name] for name in scored if name in given and given[name].basis == "llm"][-LAST_JUDGED:]
        refused = sum(one.relevance < threshold for one in judged)  # of what the rules placed just before the others
        unlikely = frozenset(further if 2 * refused > len(judged) else ())
        asked = f"{self.request.query} {self.translation.intent.topic}"
        divided, common = draw_line(ranked, unlikely, best, self.request, asked)
        return self.section(PaperCollection, divided, shortlisted=len(scored), facets=common)

    def _ranked(self, candidates: Sequence[Candidate], given: Mapping[str, PaperVerdict]) -> list[RankedPaper]:
        preferences, ranked = self.translation.intent.preferences, list[RankedPaper]()
        for each in candidates:
            verdict = given.get(each.merged.id) or rules_only_paper(each)
            score = order_by(verdict.relevance, each.merged.paper, preferences, self.now)
            score *= (MENTION_FACTOR if each.mentions else 1) * (UNVERIFIED_FACTOR if each.unverified else 1)
            ranked.append(_describe(each, verdict, round(score, SCORE_DIGITS)))
        return sorted(ranked, key=place)


def draw_line(
    ranked: Sequence[RankedPaper], unlikely: Collection[str], best: float, request: SearchRequest, asked: str
) -> tuple[Divided[RankedPaper], Facets]:
    """Divide papers at the line, below which those with unlikely ids are, and count what they have in common.

    The language model's scale has anchors, so a threshold holds for it; the rules' has none, so the best relevance that
    they gave is the measure. With a threshold of None all that the language model scored are above the line.
    """
    least = {"llm": request.config.relevance_threshold or 0.0, "rules": WEAK_SHARE * best}
    divided = divide(ranked, lambda one: one.id not in unlikely and one.relevance >= least[one.basis], LIKELY)
    return divided, facets((*divided.results, *divided.weaker), best, asked)


def place(paper: RankedPaper) -> tuple[object, ...]:
    """Return the sort key: the score, then citations and year (each descending, unknown ones last), title, id."""
    known = (*descending(paper.citations), *descending(paper.year))
    return (-paper.score, *known, paper.title.casefold(), paper.id)


def _describe(candidate: Candidate, verdict: PaperVerdict, score: float) -> RankedPaper:
    merged, paper = candidate.merged, candidate.merged.paper
    known = vars(verdict) | vars(merged) | vars(paper)
    caveats = tuple(dict.fromkeys((*verdict.caveats, *_caveats(candidate))))
    own = {"id": merged.id, "ids": paper.ids, "unverified": candidate.unverified, "caveats": caveats, "score": score}
    if paper.retracted and not any(map(tells_retraction, paper.notices)):
        own["notices"] = (*paper.notices, f"Retraction: reported by {merged.provenance.get('retracted', paper.source)}")
    return RankedPaper.model_validate(known | own | {"abstract": paper.abstract or paper.snippet}, extra="ignore")


def _caveats(candidate: Candidate) -> Iterator[str]:
    paper = candidate.merged.paper
    if is_retracted(paper):
        yield RETRACTED
    facts = ("authors" if rule == "author" else rule for rule in candidate.unverified)
    yield from constraint_caveats(facts, candidate.mentions)
    texts = (paper.title, paper.abstract, paper.snippet, paper.venue)
    if caveat := next((caveat for text in texts if (caveat := suspicious(text))), None):
        yield caveat


def named_paper(merged: MergedPaper) -> Named:
    """Return the identities of a paper, those of its versions too, and the repositories in its texts and addresses."""
    paper = merged.paper
    places = {"abstract": "abstract", "snippet": "snippet", "url": "address", "pdf_url": "full text", "title": "title"}
    mentions: dict[str, str] = {}
    for field, place in places.items():
        for identity, address in find_repositories(getattr(paper, field) or ""):
            mentions.setdefault(identity, f"its {place} names {address}")
    systems = ("doi", "arxiv")
    every = ((name, getattr(ids, name)) for ids in (paper.ids, *merged.ids) for name in systems)
    identities = dict.fromkeys(f"{name}:{value}" for name, value in every if value)
    return named(merged.id, list(identities), mentions)
