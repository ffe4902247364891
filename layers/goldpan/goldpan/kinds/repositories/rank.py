"""Rank: verdicts become the ranked section, with six dimensions and caveats, in the order of one formula."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from statistics import fmean

from goldpan.contracts import SearchRequest
from goldpan.engine.answers import named
from goldpan.engine.payload import truncate_json
from goldpan.engine.ranking import MENTION_FACTOR, Ranking, divide, in_order
from goldpan.engine.stage_values import KindResult
from goldpan.identities import repository_identity
from goldpan.kinds.repositories import notices
from goldpan.kinds.repositories.candidates import default_rules
from goldpan.kinds.repositories.dimensions import radar_chart, score_dimensions
from goldpan.kinds.repositories.looked_up import asks, named_repositories
from goldpan.kinds.repositories.models import KIND, ScoreTask, Shortlist, Translation, Verdict
from goldpan.kinds.repositories.preferred_range import preferred_first, with_headings
from goldpan.kinds.repositories.relevance import ABOVE_SHARE
from goldpan.kinds.repositories.repository_text import any_note, best_description, shown_note
from goldpan.kinds.repositories.results import RankedRepository, Release, RepositorySection
from goldpan.kinds.repositories.score import rules_only_verdict

WEAK_SHARE: Mapping[str, float] = {"rules": 0.25, "llm": 0.6}
"""A result stands above the line if its relevance is at least this share of the best one's, by what judged it."""
LIKELY: Mapping[str, float] = {"rules": 0.1, "llm": 0.3}
"""Nothing fits if the best relevance is less: the prompt's 0.3 is of the same field only."""
FAME_WEIGHT, USUAL_STARS = 0.05, 300
"""What each power of ten of stars adds to a result's place: of what fits alike, most people mean the known one."""
SORT_VALUES: Mapping[str, Callable[[RankedRepository], float | None]] = {
    "stars": lambda item: item.stars,
    "pushed": lambda item: item.pushed_at.timestamp() if item.pushed_at else None,
    "overall": lambda item: item.scores.overall,
}
MAX_TOPICS, TOPIC_BYTES = 10, 60
DESCRIPTION_BYTES = 1400
"""The maximum of a description in the answer: 350 characters, GitHub's own limit, in any script."""
_Ranking = Ranking[Shortlist, Verdict, Translation]
_Described = tuple[ScoreTask, RankedRepository]


def rank(
    shortlisted: Shortlist, verdicts: Sequence[Verdict], translation: Translation, request: SearchRequest, now: datetime
) -> KindResult:
    """Order the scored repositories, and after them what the rules alone score, as they do a task without a verdict."""
    ranking = Ranking(KIND, shortlisted, verdicts, translation, request, now)
    constraints, rules = translation.params.constraints, request.config.coarse_filter
    tasks = {task.repository.full_name: task for task in (*shortlisted.tasks, *shortlisted.further)}
    described = _described(ranking)
    ranked = preferred_first(in_order(described, SORT_VALUES.get(request.sort)), constraints, now.date())
    if named_repositories(request):
        shown = divide(ranked, lambda _: True, dict.fromkeys(LIKELY, 0.0))
    else:
        shown = divide(ranked, _line(ranked, shortlisted), LIKELY)
    results = with_headings(shown.results, constraints, now.date())
    section = ranking.section(RepositorySection, replace(shown, results=results), shortlisted=len(shortlisted.tasks))
    names, asked = [item.repo for item in results], [task.id for task in shortlisted.tasks if task.ask_llm]
    judged = {verdict.full_name for verdict in verdicts if verdict.basis == "llm"}
    describe = partial(notices.broken_text, constraints=constraints, rules=rules)
    warnings = (
        *notices.not_confirmed([tasks[name] for name in names], shortlisted.sources),
        *ranking.left_out(len(results), describe, default_rules(constraints, rules), notices.ALWAYS_DROPPED),
        *ranking.not_judged(asked, judged, len(described)),
    )
    links = (named(name, (repository_identity(name),), tasks[name].papers) for name in names)
    return ranking.result(section, names, warnings, links)


def _described(ranking: _Ranking) -> list[RankedRepository]:
    """Describe the repositories, in the order of the shortlist where nothing was asked, else the best first."""
    given, items = {verdict.full_name: verdict for verdict in ranking.verdicts}, list[RankedRepository]()
    for tasks in (ranking.shortlist.tasks, ranking.shortlist.further):
        scored = ((task, given.get(task.id) or rules_only_verdict(task)) for task in tasks)
        described = [(task, _describe(ranking, task, verdict)) for task, verdict in scored]
        ordered = _best_first(ranking, described) if asks(ranking.request) else described
        items += [item for _, item in ordered]
    return items


def _line(ranked: Sequence[RankedRepository], shortlisted: Shortlist) -> Callable[[RankedRepository], bool]:
    """Return whether a result is above the line: not far less relevant than the best one, for padding is no answer.

    Below is also what would stand above far better ones, of which a constraint is only not known to hold, and what a
    language model was not asked about, if it judged others: its "no" is no reason to show what the rules placed lower.
    The rules' relevance and the model's have different scales, so each result is compared with its own sort.
    """
    best = {"rules": max((task.relevance for task in shortlisted.tasks), default=0.0)}
    unverified = dict[str, float]()
    judged = any(item.basis == "llm" for item in ranked)
    not_asked = {task.repository.full_name for task in shortlisted.further} if judged else frozenset[str]()
    for item in ranked:
        best[item.basis] = max(best.get(item.basis, 0.0), item.relevance)
        if item.unverified:
            unverified[item.basis] = max(unverified.get(item.basis, 0.0), item.relevance)

    def least(item: RankedRepository) -> float:
        above = 0.0 if item.unverified else ABOVE_SHARE * unverified.get(item.basis, 0.0)
        return max(WEAK_SHARE[item.basis] * best[item.basis], above)

    return lambda item: item.repo not in not_asked and item.relevance >= least(item)


def _best_first(ranking: _Ranking, described: list[_Described]) -> list[_Described]:
    """Sort by relevance x (w + (1 - w) x overall / 10) times its factors; w is `relevance_weight`, 0.95 by default.

    An unknown overall score counts as the usual one, the mean of the others: it tells neither for nor against.
    """
    weight = ranking.request.config.relevance_weight
    known = [item.scores.overall for _, item in described if item.scores.overall is not None]
    usual, preferred = fmean(known or [0.0]), ranking.translation.params.constraints.preferred_max_stars

    def sort_key(pair: _Described) -> tuple[float, int, str]:
        task, item = pair
        overall, stars = (usual if item.scores.overall is None else item.scores.overall), item.stars
        value = round(item.relevance * (weight + (1 - weight) * overall / 10), 6)
        value *= MENTION_FACTOR if task.mentions else 1
        fame = FAME_WEIGHT * math.log10(1 + (USUAL_STARS if stars is None else stars)) if preferred is None else 0
        return (-value * (1 + fame), -(stars or 0), item.repo)

    return sorted(described, key=sort_key)


def _describe(ranking: _Ranking, task: ScoreTask, verdict: Verdict) -> RankedRepository:
    repository, constraints, now = task.repository, ranking.translation.params.constraints, ranking.now
    text = best_description(repository)
    release = Release(name=repository.latest_release_name, at=repository.latest_release_at)
    scores = score_dimensions(repository, verdict, ranking.request.config.dimension_weights, now)
    known = vars(task) | vars(verdict) | vars(repository)
    own: dict[str, object] = {
        "repo": repository.full_name,
        "name": repository.full_name.partition("/")[2],
        "description": truncate_json("" if text == any_note(repository) else text, DESCRIPTION_BYTES) or None,
        "note": shown_note(repository),
        "url": repository.page,
        "topics": tuple(truncate_json(topic, TOPIC_BYTES) for topic in (repository.topics or ())[:MAX_TOPICS]),
        "latest_release": None if release == Release() else release,
        "scores": scores,
        "radar_chart_data": radar_chart(scores),
        "reasoning": " ".join((verdict.reasoning, *notices.asked_facts(repository, constraints))),
        "caveats": (*verdict.caveats, *notices.limit_caveats(task), *notices.caveats(repository, now)),
    }
    return RankedRepository.model_validate(known | own, extra="ignore")
