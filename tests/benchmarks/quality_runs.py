"""Answers the judged questions in one setting, scores the answers, and makes the baselines by the data's own script."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from goldpan.contracts import parse_request
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.llm.port import LanguageModel
from goldpan.kinds.repositories import repository_text
from goldpan.kinds.repositories.categories import category_index
from goldpan.kinds.repositories.results import RepositorySection
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

from tests.benchmarks.frame import DATA, SHARED, WORK, ndcg, read_rows
from tests.support.factories import StillClock, run
from tests.support.texts_alone import texts_alone, without_knowledge_of

REPOSITORIES = DATA / "repos.jsonl.gz"
QUESTIONS = {
    "titles": "repo_queries.public.jsonl.gz",
    "natural": "repo_questions.natural.public.jsonl.gz",
    "judged": "repo_judged.public.jsonl.gz",
}
RULES = ("min_stars", "pushed_within_months", "require_readme", "exclude_archived", "exclude_trivial_forks")
DRAWN, SEED = 60, 20261123
OBSERVED = datetime(2026, 8, 22, tzinfo=UTC)
"""The day of the data, from which ages count."""

Knowledge = Literal["all", "most", "none"]


@dataclass(frozen=True)
class Setting:
    """One way to answer all questions of a sort."""

    questions: str
    every: int = 1
    """Take every N-th question."""
    knowledge: Knowledge = "all"
    """Read goldpan's own notes and categories, as for users; all but those of drawn repositories; or none."""

    @property
    def title(self) -> str:
        """The name of the setting in the tables."""
        return self.questions + {"all": "", "most": ", 60 not known", "none": ", texts alone"}[self.knowledge]

    @property
    def catalogue(self) -> Path:
        """The catalogue of the setting."""
        return WORK / f"all-{self.knowledge}.sqlite"

    def knowing(self) -> AbstractContextManager[None]:
        """Let goldpan know what the setting allows."""
        if self.knowledge == "most":
            return without_knowledge_of(drawn_repositories())
        return texts_alone() if self.knowledge == "none" else nullcontext()


JUDGED = Setting("judged")


def read_questions(name: str, every: int = 1) -> list[dict[str, Any]]:
    """Read the questions of a sort."""
    return read_rows(DATA / QUESTIONS[name])[::every]


def make_catalogue(setting: Setting) -> None:
    """Build the catalogue of a setting."""
    with setting.knowing():
        build_catalogue(
            records_from_lines(REPOSITORIES), setting.catalogue, "the benchmark's catalogue", shipped_table()
        )


@contextmanager
def opened(setting: Setting, llm: LanguageModel | None = None) -> Iterator[Dependencies]:
    """Open the catalogue of a setting for searches that know what it allows; it is made if it is missing."""
    if not setting.catalogue.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        make_catalogue(setting)
    encoder = shipped_table()
    with setting.knowing(), closing(Catalogue.open(setting.catalogue, encoder)) as catalogue:
        yield Dependencies(StillClock(OBSERVED), {"catalogue": catalogue}, llm, encoder=encoder)


def run_setting(setting: Setting) -> dict[str, Any]:
    """Answer the questions in one setting, and score the answers."""
    questions = read_questions(setting.questions, setting.every)
    with opened(setting) as dependencies:
        results = {asked["qid"]: ask(asked["query"], dependencies, ("catalogue",)) for asked in questions}
    return score(results, questions)


def judged_answers(
    llm: LanguageModel | None = None, *, max_results: int = 10, setting: Setting = JUDGED
) -> Iterator[tuple[dict[str, Any], RepositorySection]]:
    """Answer the questions whose results were judged, with the default rules; what is refused is left out."""
    with opened(setting, llm) as dependencies:
        for question in read_questions("judged"):
            request = parse_request({"query": question["query"], "max_results": max_results})
            with suppress(InvalidRequest):
                section = run(request, dependencies).repositories
                assert section
                yield question, section


def run_judged(llm: LanguageModel | None = None, *, setting: Setting = JUDGED) -> dict[str, Any]:
    """Score the first ten results of judged questions, also for the drawn and the unlisted apt ones alone."""
    answers = [*judged_answers(llm, setting=setting)]
    shown = {asked["qid"]: [one.repo for one in section.results] for asked, section in answers}
    file = WORK / f"run-judged-{setting.knowledge}{'-model' if llm else ''}.jsonl"
    rows = ({"qid": qid, "results": found} for qid, found in shown.items())
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    figures = json.loads(evaluate("judged", str(file)))
    return {
        **{name: figures[name] for name in ("apt", "found", "first", "nDCG@10", "unjudged")},
        "found of the 60": _found_of(drawn_repositories(), shown),
        "of the unlisted": _found_of(_apt_repositories() - _listed_by_goldpan(), shown),
    }


def _found_of(names: AbstractSet[str], shown: Mapping[str, Sequence[str]]) -> float:
    apt = [(asked["qid"], name) for asked in read_questions("judged") for name in _apt(asked) if name.lower() in names]
    return fmean(name in shown.get(qid, ())[:10] for qid, name in apt)


def _apt(question: Mapping[str, Any]) -> list[str]:
    return [name for name, grade in question["grades"].items() if grade == "2"]


def _apt_repositories() -> set[str]:
    return {name.lower() for question in read_questions("judged") for name in _apt(question)}


@cache
def drawn_repositories() -> frozenset[str]:
    """Draw 60 of the apt repositories that goldpan lists by a seed."""
    known = sorted(_apt_repositories() & _listed_by_goldpan())
    return frozenset(random.Random(SEED).sample(known, DRAWN))


@cache
def _listed_by_goldpan() -> frozenset[str]:
    """Return the repositories with a note or a category, in lower case."""
    return category_index().listed | repository_text.notes().keys()


def ask(question: str, dependencies: Dependencies, sources: Sequence[str]) -> list[str]:
    """Answer a question with the coarse rules off; returns all results."""
    config = {"coarse_filter": dict.fromkeys(RULES)}
    request = parse_request({"query": question, "max_results": 25, "config": config})
    try:
        answer = run(request, dependencies, sources=sources)
    except InvalidRequest:  # nothing in it to search for
        return []
    return [one.repo for one in (*answer.repositories.results, *answer.repositories.weaker)]


def score(results: Mapping[str, Sequence[str]], questions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of a run, and the nDCG@10 of each style that typed questions have."""
    groups = {"nDCG@10": questions}
    for style in sorted({question["style"] for question in questions if "style" in question}):
        groups[style] = [question for question in questions if question["style"] == style]
    return {
        **{
            name: fmean(ndcg(results[asked["qid"]], asked["relevant"]) for asked in group)
            for name, group in groups.items()
        },
        "share of empty answers": fmean(not found for found in results.values()),
    }


def run_baseline(kind: str, sort: str, every: int) -> dict[str, Any]:
    """Score BM25, or all words by stars, as the data's script makes them."""
    name = f"{kind}-{sort}"
    file, questions = WORK / f"baseline-{name}.jsonl", DATA / QUESTIONS[sort]
    evaluate("baseline", kind, str(file), "--questions", str(questions))
    found = {row["qid"]: row["results"] for row in map(json.loads, file.read_text("utf-8").splitlines())}
    return score(found, read_questions(sort, every))


def evaluate(*arguments: str) -> str:
    """Run the data's own script, and return what it prints."""
    command = [sys.executable, str(SHARED / "evaluate.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
