"""The values that pass between the stages: the base models of every kind.

The engine and the state machine carry the values of a kind unread, apart from the fields of these models.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Literal, Self, TypeVar

from pydantic import AfterValidator, JsonValue, SerializeAsAny, ValidationInfo, field_validator

from goldpan.config import Frozen
from goldpan.contracts import Interpretation, Section, SourceStatus, StageError, Unit, Usage, parse_section
from goldpan.engine.payload import BATCHES_BYTES, FAILURE_BYTES, SKIPPED_BATCH_BYTES, batches_budget, truncate_json
from goldpan.known import Known


class Task(Frozen):
    """One piece of work of a parallel stage; its id is unique among the tasks of its stage and kind."""

    id: str


class Translation(Frozen):
    """What translate returns: the scout tasks to run, how the question was read, and what that cost."""

    tasks: tuple[Task, ...]
    interpretation: tuple[Interpretation, ...] = ()
    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()
    llm_calls_left: int = 0
    """For the stages after it."""

    def continuation(self) -> dict[str, JsonValue]:
        """Return what this round passes to the next one."""
        return {}

    def with_allowances(self, able: Collection[str], max_llm_calls: int = 0) -> Self:
        """Divide the bytes of a state among the tasks of these ids; the others return a status row only.

        Of the calls of a language model that the search may make, those that are left are for the stages after it.
        """
        left = max(0, max_llm_calls - self.usage.llm_calls)
        # an allowance with as many digits as any, but not the default one, which JSON leaves out
        budget = batches_budget(self._planned(BATCHES_BYTES - 1, able, left))
        budget -= SKIPPED_BATCH_BYTES * (len(self.tasks) - len(able))
        return self._planned(budget // (len(able) or 1), able, left)

    def _planned(self, allowance: int, able: Collection[str], llm_calls_left: int) -> Self:
        tasks = tuple(
            task.model_copy(update={"byte_allowance": allowance if task.id in able else SKIPPED_BATCH_BYTES})
            for task in self.tasks
        )
        return self.model_copy(update={"tasks": tasks, "llm_calls_left": llm_calls_left})


class Batch(Frozen):
    """What one scout task returns: the status of its source, and its candidates."""

    status: SourceStatus


def _truncated(texts: tuple[str, ...], most: int, max_bytes: int) -> tuple[str, ...]:
    return tuple(truncate_json(text, max_bytes) for text in texts[:most])


Evidence = Annotated[tuple[str, ...], AfterValidator(partial(_truncated, most=8, max_bytes=120))]
Names = Annotated[tuple[str, ...], AfterValidator(partial(_truncated, most=4, max_bytes=60))]
Failure = Annotated[str, AfterValidator(partial(truncate_json, max_bytes=FAILURE_BYTES))] | None


class Match(Frozen):
    """How well a candidate fits by the rules alone, 0 to 1, and what they say of it."""

    relevance: Unit
    evidence: Evidence = ()
    """The words of the candidate that earned the relevance, each with the field that has it."""
    unverified: Names = ()
    """The constraints whose fact is unknown or too old."""
    mentions: Names = ()
    """The excluded terms that the candidate mentions without being about one."""


class Verdict(Frozen):
    """What a scoring task cost, and why it has no score by the language model."""

    usage: Usage = Usage()
    failure: Failure = None


class Shortlist(Frozen):
    """What shortlist returns: the scoring tasks, best first, and what happened to the other candidates."""

    tasks: tuple[Task, ...]
    total_candidates: int = 0
    """Distinct candidates before the shortlist."""
    sources: tuple[SourceStatus, ...] = ()
    dropped: dict[str, int] = {}
    """How many candidates each rule, constraint or filter dropped."""
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()
    usage: Usage = Usage()
    further: tuple[Task, ...] = ()
    """What the rules alone score, in the same form: it follows the results of the scoring tasks."""
    further_key: str = ""
    """The key under which the cache has `further`, where no state could carry it."""


class Named(Frozen):
    """The identities by which the texts of other kinds name a result, and those of others that its own texts name."""

    id: str
    identities: tuple[str, ...] = ()
    """In the form of `goldpan.identities`."""
    mentions: dict[str, str] = {}
    """Identities, each with the evidence for it."""


class KindResult(Frozen):
    """What one kind contributes to the answer: its section, statuses, errors, warnings and usage."""

    kind: str
    interpretation: tuple[Interpretation, ...] = ()
    section: SerializeAsAny[Section]
    sources: tuple[SourceStatus, ...] = ()
    errors: tuple[StageError, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = Usage()
    named: tuple[Named, ...] = ()
    """For the links between the results of several kinds."""

    @field_validator("section", mode="before")
    @classmethod
    def _parse_section(cls, value: object, info: ValidationInfo) -> object:
        return parse_section(info.data.get("kind", ""), value)


class KindFailure(Frozen):
    """Why a kind has no result: the name and the text of its error, as in `goldpan.errors`."""

    kind: str
    error: str
    message: str
    known: Known = Known()
    """What its finished stages had found."""


class TaskFailure(Frozen):
    """A task without a result: it exceeded its deadline, was not started before it, or failed unexpectedly."""

    task_id: str
    failure: Literal["timeout", "not_started", "failed"]


MAX_PREVIEWS = 10
"""As many results are shown before their order is known."""

FAILED = "failed unexpectedly; the log has the cause"
TaskT = TypeVar("TaskT", bound=Task)
ResultT = TypeVar("ResultT")
ShortlistT = TypeVar("ShortlistT", bound=Shortlist)


def with_task_failures(
    tasks: Sequence[TaskT], results: Sequence[ResultT | TaskFailure], replace: Callable[[TaskT, TaskFailure], ResultT]
) -> list[ResultT]:
    """Replace every `TaskFailure` among the results by the kind's own row for the task with that id."""
    by_id = {task.id: task for task in tasks}
    return [replace(by_id[each.task_id], each) if isinstance(each, TaskFailure) else each for each in results]


def with_scout_errors(shortlist: ShortlistT, batches: Sequence[object], now: datetime) -> ShortlistT:
    """Add an error to a shortlist for each batch that is missing because its task failed unexpectedly."""
    failed = [each.task_id for each in batches if isinstance(each, TaskFailure) and each.failure == "failed"]
    errors = tuple(StageError(stage="scout", error=f"{task_id} {FAILED}", timestamp=now) for task_id in failed)
    return shortlist.model_copy(update={"errors": (*shortlist.errors, *errors)}) if errors else shortlist
