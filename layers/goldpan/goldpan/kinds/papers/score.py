"""Score: one task of at most ten papers becomes a verdict, with a reason for each, by the language model or by rules.

A batch shares one prompt, so no rule can prove that the text of one paper leaves the scores of the others alone. What
holds: all texts are data inside JSON; a text that speaks to a language model is not shown, its title at most; each
paper has an id that its text cannot know; each score is clamped; and an answer can change scores and reasons alone.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from goldpan.contracts import SearchRequest, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.feedback import asked_fields
from goldpan.engine.payload import truncate_json
from goldpan.engine.scoring import OUT_OF_TIME, ScoreAnswer, judged, matches, reason_and_usage
from goldpan.engine.stage_values import TaskFailure
from goldpan.infra.llm.answers import ModelReading, ask_model
from goldpan.infra.llm.port import LanguageModel, Prompt
from goldpan.kinds.papers.models import KIND, Candidate, Paper, PaperVerdict, ScoreTask, Verdict
from goldpan.kinds.prompts import instructions
from goldpan.text import suspicious

REASON_BYTES = 500
"""The maximum of the reason of one paper: thirty verdicts fit into a state beside their papers."""
NO_USAGE = Usage()
NOTHING_MATCHES = "None of the question's words occur in its title or abstract; its source found it."
SHOWN_CHARS = {"title": 200, "text": 500, "venue": 100}
TOKENS_A_PAPER, OTHER_TOKENS = 140, 100
ID_DIGITS = 8
NOT_SHOWN = "Its abstract was not shown to the language model, because it speaks to one."


def rules_only(task: ScoreTask, failure: str | None = None, usage: Usage = NO_USAGE) -> Verdict:
    """Make the verdict of the rules alone, with why the language model has none, and what its call cost."""
    return Verdict(papers=tuple(map(rules_only_paper, task.candidates)), usage=usage, failure=failure)


def rules_only_paper(candidate: Candidate) -> PaperVerdict:
    """Score one paper by the rules: its relevance, with the words that it rests on."""
    reason = truncate_json(matches(candidate.evidence) if candidate.evidence else NOTHING_MATCHES, REASON_BYTES)
    return PaperVerdict(id=candidate.merged.id, relevance=candidate.relevance, reasoning=reason, basis="rules")


class _PaperAnswer(ScoreAnswer):
    """What the language model may return about one paper."""

    id: Annotated[str, Field(max_length=100)]


class _Answer(BaseModel):
    """What the language model may return: its entries are read one by one, so that one costs no other."""

    results: list[object]


def score(task: ScoreTask, request: SearchRequest, dependencies: Dependencies, deadline: Deadline) -> Verdict:
    """Score the papers of a task for a request; see `RelevanceScorer.score`."""
    return RelevanceScorer(request, dependencies.llm).score(task, deadline)


def unscored(task: ScoreTask, failure: TaskFailure) -> Verdict:
    """Make the verdict of a scoring task that has no result; a call that had started is counted."""
    return rules_only(task, *reason_and_usage(failure, asks_llm=task.ask_llm))


@dataclass(frozen=True)
class RelevanceScorer:
    """Scores the papers of a request, a task after the other."""

    request: SearchRequest
    model: LanguageModel | None

    def score(self, task: ScoreTask, deadline: Deadline) -> Verdict:
        """Score papers with the language model, or by the rules if there is none or no call is left for them."""
        if self.model is None or not task.ask_llm:
            return rules_only(task)
        if not deadline.left:
            return rules_only(task, OUT_OF_TIME)
        # the model is asked about all papers, and about each half of those whose text its provider refused
        papers, usage, failure, waiting = list[PaperVerdict](), NO_USAGE, None, [task.candidates]
        while waiting:
            part = waiting.pop(0)
            asked, verdicts = self._ask(self.model, part, deadline)
            usage, half = usage + asked.usage, len(part) // 2
            if asked.is_of_the_text and half and task.retries - usage.llm_calls > len(waiting):
                waiting += [part[:half], part[half:]]
                continue
            failure = failure or asked.failure or None
            papers += verdicts
        return Verdict(papers=tuple(papers), usage=usage, failure=failure)

    def _ask(
        self, model: LanguageModel, candidates: Sequence[Candidate], deadline: Deadline
    ) -> tuple[ModelReading[_Answer], list[PaperVerdict]]:
        """Ask the model once; what it does not score keeps the verdict of the rules."""
        request, config = self.request, self.request.config
        # A text cannot know the id of another paper, since the question is part of it.
        named = ((f"{request.query}\n{candidate.merged.id}", candidate) for candidate in candidates)
        ids = {hashlib.sha256(name.encode()).hexdigest()[:ID_DIGITS]: candidate for name, candidate in named}
        until = deadline.within(config.llm_timeout_seconds)
        asked = ask_model(_Answer, model, _prompt(ids, request), until, config.llm_prices)
        answers = _by_id(asked.answer.results, ids) if asked.answer else {}
        return asked, [
            _verdict(candidate, answers[key], request) if key in answers else rules_only_paper(candidate)
            for key, candidate in ids.items()
        ]


def _prompt(ids: dict[str, Candidate], request: SearchRequest) -> Prompt:
    """Write the papers as JSON, which fences them as data."""
    papers = [{"id": key, **_shown(candidate.merged.paper)} for key, candidate in ids.items()]
    user = json.dumps({**asked_fields(request), "papers": papers}, ensure_ascii=False)
    tokens = OTHER_TOKENS + TOKENS_A_PAPER * len(papers)
    return Prompt(system=instructions(KIND, "score"), user=user, max_tokens=tokens, is_untrusted=True)


def _shown(paper: Paper) -> dict[str, object]:
    """Return what the model is shown: no citation count, and no text that speaks to a language model."""
    texts = ((name, "" if suspicious(text) else text) for name, text in _texts(paper).items())
    return {"year": paper.year} | {name: text[: SHOWN_CHARS[name]] for name, text in texts}


def _texts(paper: Paper) -> dict[str, str]:
    return {"title": paper.title, "text": paper.abstract or paper.snippet or "", "venue": paper.venue or ""}


def _by_id(rows: Iterable[object], ids: dict[str, Candidate]) -> dict[str, _PaperAnswer]:
    """Return the valid entries by id; of several for one paper the first counts."""
    answers: dict[str, _PaperAnswer] = {}
    for row in rows:
        with suppress(ValidationError):
            answer = _PaperAnswer.model_validate(row)
            if answer.id in ids:
                answers.setdefault(answer.id, answer)
    return answers


def _verdict(candidate: Candidate, answer: _PaperAnswer, request: SearchRequest) -> PaperVerdict:
    paper = candidate.merged.paper
    marked = {name for name, text in _texts(paper).items() if suspicious(text)}
    verdict = judged(rules_only_paper(candidate), answer, _shown(paper), request, is_marked=bool(marked))
    caveats = (*verdict.caveats, *([NOT_SHOWN] if "text" in marked else []))
    reasoning = truncate_json(verdict.reasoning, REASON_BYTES)
    return verdict.model_copy(update={"reasoning": reasoning, "caveats": caveats})
