"""Lets a language model write, once, what a repository is and for what needs, so that later searches need no model."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from goldpan.contracts import Usage
from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.errors import TimedOut, Unavailable
from goldpan.escaping import plain
from goldpan.infra.llm.answers import ModelReading, ask_model
from goldpan.infra.llm.port import LanguageModel, Prompt
from goldpan.infra.llm.prices import cost_of, most_a_call
from goldpan.infra.threads import run_parallel
from goldpan.kinds.prompts import instructions
from goldpan.kinds.repositories.models import KIND, Repository
from goldpan.kinds.repositories.repository_text import any_note
from goldpan.kinds.repositories.sources.catalogue.changes import Changes
from goldpan.kinds.repositories.sources.catalogue.pace import CALL_SECONDS, EndedEarly, Pace
from goldpan.kinds.repositories.sources.github.source import GitHub

BATCH = 10
"""Repositories whose READMEs are fetched in one request, and that are asked about at the same time."""
MAX_TOKENS = 200
README_CHARS = 2000
MILLION = 1_000_000
MAX_MODEL = 45
"""Characters of the name of a model that a note keeps."""


def _phrase(text: str) -> str:
    """Return a phrase on one line. Raises `ValueError` for one that is no phrase, or that holds an address."""
    text = plain(text).strip(" .;")
    if not any(character.isalpha() for character in text) or "://" in text or ";" in text:
        raise ValueError("must be a phrase of words")
    return text


Kind = Annotated[str, Field(min_length=3, max_length=60), AfterValidator(_phrase)]
Need = Annotated[str, Field(min_length=3, max_length=80), AfterValidator(_phrase)]


class _Description(BaseModel):
    """What the language model may return about a repository."""

    kinds: Annotated[list[Kind], Field(max_length=3)]
    needs: Annotated[list[Need], Field(max_length=4)]


def without_note(repositories: Iterable[Repository]) -> list[str]:
    """Return the names of the repositories without a note, the most starred first."""
    names = sorted((-(each.stars or 0), each.full_name) for each in repositories if any_note(each) is None)
    return [name for _, name in names]


@dataclass
class Enrichment:
    """Notes that a language model writes within a budget, in millionths of a US dollar, and what became of them."""

    changes: Changes
    model: LanguageModel
    budget: int
    pace: Pace
    written: int = 0
    failed: int = 0
    nothing: int = 0
    """Repositories whose texts do not show what they are."""
    first_failure: str = ""
    calls: int = 0
    spent: int = 0
    """At the price that an unknown model is taken to have."""

    def run(self, names: Sequence[str], source: GitHub) -> None:
        """Ask about repositories while the budget has room for the most that a call costs.

        Raises `EndedEarly`, or `CredentialRejected`.
        """
        for start in range(0, len(names), BATCH):
            known = list(self.changes.known(names[start : start + BATCH]).values())
            try:
                described = self.pace.call(partial(_described, source, known))
            except (TimedOut, Unavailable) as failure:  # it may be these alone, which must not stop all that follow
                self.pace.say(f"{counted(len(known), KIND)} left for another run: {failure}")
                continue
            self._ask([(given, _prompt(now or given)) for given, now in zip(known, described, strict=True)])

    def _ask(self, prompts: Sequence[tuple[Repository, Prompt]]) -> None:
        """Ask about a batch at once, and store what is in the required form; one that fails as a whole is the last."""
        deadline = Deadline.after(CALL_SECONDS, self.pace.clock)
        costs = accumulate((most_a_call(self.model.name, prompt) for _, prompt in prompts), initial=self.spent)
        asked = prompts[: sum(cost <= self.budget for cost in [*costs][1:])]

        def ask(each: tuple[Repository, Prompt]) -> ModelReading[_Description]:
            return ask_model(_Description, self.model, each[1], deadline, {})

        late = ModelReading[_Description](None, Usage(llm_calls=1), "no answer in time")
        answers = [answer or late for answer in run_parallel(asked, ask, BATCH, deadline)]
        by = f"{self.model.name[:MAX_MODEL]}, {self.pace.clock.now():%Y-%m-%d}"
        notes = [self._counted(answer, prompt) for (_, prompt), answer in zip(asked, answers, strict=True)]
        pairs = zip(asked, notes, strict=True)
        self.changes.put([each.model_copy(update={"note": note, "note_by": by}) for (each, _), note in pairs if note])
        self.pace.show(f"{self.written:,} notes written for {self.spent / MILLION:.4f} US dollars")
        if len(asked) < len(prompts):
            raise EndedEarly("the budget is used up")
        if all(answer.failure for answer in answers):
            reason = answers[-1].failure
            raise EndedEarly(f"the language model failed {len(answers)} times in a row ({reason})")

    def _counted(self, answer: ModelReading[_Description], prompt: Prompt) -> str:
        """Return the note of an answer, and add what it cost, the most that it can if its tokens are not known."""
        usage, note = answer.usage, _note(answer.answer)
        self.calls += usage.llm_calls
        if usage.input_tokens or usage.output_tokens:
            self.spent += cost_of(self.model.name, usage.input_tokens, usage.output_tokens)
        else:
            self.spent += usage.llm_calls * most_a_call(self.model.name, prompt)
        self.written += bool(note)
        self.failed += bool(answer.failure)
        self.nothing += not answer.failure and not note
        self.first_failure = self.first_failure or answer.failure
        return note


def _described(source: GitHub, known: Sequence[Repository], deadline: Deadline) -> Sequence[Repository | None]:
    """Return repositories with all facts. Raises `CallFailed`: a note is written once, so it waits for the README."""
    enriched = source.enrich(known, deadline)
    if enriched.cause:
        raise enriched.cause
    return enriched.repositories


def _prompt(repository: Repository) -> Prompt:
    """Write the facts as JSON, which fences them as data; one repository a call."""
    facts = {
        "name": repository.full_name,
        "description": repository.description or "",
        "language": repository.language,
        "topics": repository.topics or (),
        "list_curator_says": repository.curator_text,
        "readme_excerpt": repository.readme and repository.readme[:README_CHARS],
    }
    user = json.dumps({"repository": facts}, ensure_ascii=False)
    return Prompt(instructions(KIND, "enrich"), user, max_tokens=MAX_TOKENS, is_untrusted=True)


def _note(description: _Description | None) -> str:
    if description is None or not description.kinds:
        return ""
    return ": ".join(filter(None, (", ".join(description.kinds), "; ".join(description.needs))))
