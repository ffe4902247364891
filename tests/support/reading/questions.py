"""The questions of tests/data/reading, and how the translate stage of their kind reads them."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from goldpan.config import Frozen
from goldpan.contracts import Interpretation, parse_request
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.registry import get_kind
from goldpan.local.bootstrap import sample_catalogue

from tests.support.fakes import StillClock
from tests.support.paper_fakes import ListedPapers

FOLDER = Path(__file__).resolve().parents[2] / "data" / "reading"
TRANSLATE_SECONDS = 5.0
Half = Literal["open", "sealed"]


class ReadingQuestion(Frozen):
    """A question as people type it, and what its interpretation must hold and must not hold."""

    id: str
    kind: Literal["repositories", "papers"]
    lang: str
    query: str
    subject: tuple[str, ...]
    """Alternatives, at least one of which must be searched for."""
    excludes: tuple[tuple[str, ...], ...]
    """What must be neither searched for nor required, each as alternative names."""
    requires: dict[str, tuple[str, ...]]
    """Filters of the request with the expected value, or alternative values; `-12m` and `-5y` count back from today."""
    strict: bool
    """Whether an entry for each exclusion or filter must exist; otherwise it may be left unread."""
    trap: bool
    """Whether the question only looks as if it had an exclusion or a filter."""
    why: str


def load_questions(half: Half) -> list[ReadingQuestion]:
    """Load one half of the questions; the sealed half is not looked at while the reader is written."""
    lines = (FOLDER / f"{half}.jsonl").read_text("utf-8").splitlines()
    return [ReadingQuestion.model_validate(json.loads(line)) for line in lines]


def read_questions(
    questions: list[ReadingQuestion],
) -> Iterator[tuple[ReadingQuestion, tuple[Interpretation, ...] | None]]:
    """Read each question without a network or a language model; None stands for a refused question."""
    with closing(sample_catalogue()) as catalogue:
        sources: dict[str, dict[str, Any]] = {
            "repositories": {"catalogue": catalogue},
            "papers": {"openalex": ListedPapers()},
        }
        for question in questions:
            dependencies = Dependencies(clock=StillClock(), sources=sources[question.kind], encoder=shipped_table())
            yield question, _interpret(question, dependencies)


def _interpret(question: ReadingQuestion, dependencies: Dependencies) -> tuple[Interpretation, ...] | None:
    deadline = Deadline.after(TRANSLATE_SECONDS, dependencies.clock)
    try:
        request = parse_request({"query": question.query, "kinds": [question.kind]})
        kind = get_kind(question.kind)
        translation = kind.stages().translate(request, tuple(dependencies.sources), dependencies, deadline)
    except InvalidRequest:
        return None
    return tuple(translation.interpretation)
