"""The finished stages of searches that no client waits for, in the item of each, from which the API reads them."""

from contextlib import suppress

from goldpan.contracts.progress import FinishedStage
from goldpan.engine.deadlines import Clock
from goldpan.infra.circuit_breaker import CircuitBreaker, Count
from goldpan.infra.table import Change, Comparison, ConditionFailed, Table


class ProgressLog:
    """One item for each search, with an attribute for each stage of a kind in a round; a repeated one is written once.

    The state machines make the item and store the response in it. While the table fails, no stages are shown.
    """

    def __init__(self, table: Table, clock: Clock, count: Count) -> None:
        self._table = table
        self._circuit = CircuitBreaker("progress log", "ProgressFailed", clock, count)

    def add(self, execution: str, finished: FinishedStage, number: int = 1) -> None:
        """Add a stage of a round to the item of an execution, unless that is gone or the table fails."""
        self._circuit.call(lambda: self._add(execution, finished, number), lambda: None)

    def _add(self, execution: str, finished: FinishedStage, number: int) -> None:
        name = f"{finished.stage} {finished.kind}" + (f" {number}" if number > 1 else "")
        stage = {name: finished.model_dump_json()}
        exists = Comparison("ttl", ">", 0)
        with suppress(ConditionFailed):
            self._table.update(f"progress:{execution}", Change(stage, conditions=[[exists]]))
