"""The deduplicator of a search: the rules, then a language model for what they leave undecided, in one bounded call."""

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from goldpan.config import PipelineConfig
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.infra.llm.answers import ask_model
from goldpan.infra.llm.port import LanguageModel, Prompt
from goldpan.kinds.papers.deduplication.grouping import Deduplicated, Key, Record, deduplicate
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.prompts import instructions

NO_USAGE = Usage()
APART = "Possible duplicates stay apart: the language model failed"
MAX_RECORDS = 40
"""Papers in one call; the sets that do not fit stay apart."""
TITLE_CHARS, AUTHOR_CHARS = 200, 60
TOKENS_A_RECORD, TOKENS = 12, 100
"""Of the completion: an id with its quotes, and the rest of the object."""
MAX_GROUPS, MAX_ID_CHARS = 200, 40


@dataclass(frozen=True)
class Judged:
    """The papers after the call, what it cost, and what went wrong, for the warnings."""

    deduplicated: Deduplicated
    usage: Usage = NO_USAGE
    warnings: tuple[str, ...] = ()


class _Answer(BaseModel):
    """What the language model may return."""

    groups: Annotated[list[list[Annotated[str, Field(max_length=MAX_ID_CHARS)]]], Field(max_length=MAX_GROUPS)]


Numbered = dict[str, tuple[int, Key]]
"""The set and the key of each id in a question."""


@dataclass(frozen=True)
class Deduplicator:
    """Groups the records of a search by paper; without a model, what the rules leave undecided stays apart."""

    records: Sequence[Record]
    model: LanguageModel | None
    config: PipelineConfig

    def by_rules(self, judged: Sequence[Sequence[Key]] = ()) -> Deduplicated:
        """Group the records by the rules; those whose keys are `judged` together are one paper, unless forbidden."""
        return deduplicate(self.records, judged=judged)

    def decide(self, found: Deduplicated, among: Container[Key], deadline: Deadline) -> Judged:
        """Join what the model judges to be one paper among some records, by their keys.

        On failure, and what the rules forbid, all stays apart.
        """
        numbered: Numbered = {}  # the first sets first, as many as one call may have
        for place, undecided in enumerate(found.undecided):
            keys = [key for key in undecided if key in among]
            if len(keys) > 1 and len(numbered) + len(keys) <= MAX_RECORDS:
                numbered |= {f"r{number}": (place, key) for number, key in enumerate(keys, len(numbered) + 1)}
        if self.model is None or not numbered:
            return Judged(found)
        until = deadline.within(self.config.llm_timeout_seconds)
        asked = ask_model(_Answer, self.model, _prompt(numbered, found), until, self.config.llm_prices)
        if asked.answer is None:
            return Judged(found, asked.usage, (f"{APART}: {asked.failure}",))
        return Judged(self.by_rules(_joined(asked.answer, numbered, found)), asked.usage)


def _prompt(numbered: Numbered, deduplicated: Deduplicated) -> Prompt:
    """Write the sets as JSON, which fences them as data."""
    papers = {key: group.merged.paper for group in deduplicated.groups for key in group.members}
    sets: dict[int, list[dict[str, object]]] = {}
    for number, (place, key) in numbered.items():
        title, author = papers[key].title[:TITLE_CHARS], next(iter(papers[key].authors), None)
        paper = {"title": title, "year": papers[key].year, "first_author": author and author[:AUTHOR_CHARS]}
        sets.setdefault(place, []).append({"id": number, **paper})
    return Prompt(
        system=instructions(KIND, "same_paper"),
        user=json.dumps({"sets": list(sets.values())}, ensure_ascii=False),
        max_tokens=TOKENS + TOKENS_A_RECORD * len(numbered),
        is_untrusted=True,
    )


def _joined(answer: _Answer, numbered: Numbered, deduplicated: Deduplicated) -> list[list[Key]]:
    """Return the records of each group that the model named, without unknown ids; none for papers of several sets."""
    members = {group.members[0]: group.members for group in deduplicated.groups}
    named = [[numbered[number] for number in ids if number in numbered] for ids in answer.groups]
    alike = ([key for _, key in group] for group in named if len({place for place, _ in group}) == 1)
    return [[key for first in keys for key in members[first]] for keys in alike]
