"""Reports the finished stages of searches that no client waits for, which the names of their executions tell."""

import re
from collections.abc import Sequence

from goldpan.aws.events import StageEvent
from goldpan.contracts.progress import FinishedStage
from goldpan.engine.deadlines import Stage
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.rounds import round_message
from goldpan.known import Preview

NO_CLIENT = "async_"
"""How the names of their executions begin; statemachine/accept.asl.yaml gives them."""
ROUND = re.compile(r"round_(.+)_(\d+)")
"""The name of an execution that is one round of such a search; statemachine/rounds.asl.yaml gives it."""


def report(
    event: StageEvent, stage: Stage, message: str, shared: Dependencies | None, preview: Sequence[Preview] = ()
) -> None:
    """Report a finished stage of a kind with the message of its event, if no client waits."""
    name, number, of_round = event.execution, 1, ROUND.fullmatch(event.execution)
    if of_round:
        name, number = f"{NO_CLIENT}{of_round[1]}", int(of_round[2])
    if shared is not None and shared.progress is not None and name.startswith(NO_CLIENT):
        text, at = round_message(number, message), shared.clock.now()
        finished = FinishedStage(stage=stage, kind=event.kind, message=text, at=at, preview=tuple(preview))
        shared.progress.add(name, finished, number)
