"""The finished stages of searches that no client waits for, in the item of each, from which the API reads them."""

from contextlib import suppress

from goldpan.contracts.progress import FinishedStage
from goldpan.engine.deadlines import Clock
from goldpan.infra.circuit_breaker import CircuitBreaker, Count
from goldpan.infra.table import Change, Comparison, ConditionFailed, Table


class ProgressLog:
    """One item for each search, with an attribute for each stage of a kind, so that a repeated stage is written once.

    The state machines make the item and store the response in it. While the table fails, no stages are shown.
    """

    def __init__(self, table: Table, clock: Clock, count: Count) -> None:
        self._table = table
        self._circuit = CircuitBreaker("progress log", "ProgressFailed", clock, count)

    def add(self, execution: str, finished: FinishedStage) -> None:
        """Add a stage to the item of an execution, unless that is gone or the table fails."""
        self._circuit.call(lambda: self._add(execution, finished), lambda: None)

    def _add(self, execution: str, finished: FinishedStage) -> None:
        stage = {f"{finished.stage} {finished.kind}": finished.model_dump_json()}
        exists = Comparison("ttl", ">", 0)
        with suppress(ConditionFailed):
            self._table.update(f"progress:{execution}", Change(stage, conditions=[[exists]]))
