"""Reports the finished stages of searches that no client waits for, which the names of their executions tell."""

from collections.abc import Sequence

from goldpan.aws.events import StageEvent
from goldpan.contracts.progress import FinishedStage
from goldpan.engine.deadlines import Stage
from goldpan.engine.dependencies import Dependencies
from goldpan.known import Preview

NO_CLIENT = "async_"
"""How the names of their executions begin; statemachine/accept.asl.yaml gives them."""


def report(
    event: StageEvent, stage: Stage, message: str, shared: Dependencies | None, preview: Sequence[Preview] = ()
) -> None:
    """Report a finished stage of a kind with the message of its event, if no client waits."""
    if shared is not None and shared.progress is not None and event.execution.startswith(NO_CLIENT):
        at = shared.clock.now()
        finished = FinishedStage(stage=stage, kind=event.kind, message=message, at=at, preview=tuple(preview))
        shared.progress.add(event.execution, finished)
