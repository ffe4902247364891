"""What a client that does not wait for an answer gets: where the answer will be, and the stages that have finished."""

from datetime import datetime
from typing import Literal

from goldpan.config import Frozen
from goldpan.known import Preview


class Accepted(Frozen):
    """A search that runs without its client."""

    id: str
    """Known to the client alone: with it and a key, the answer can be read."""
    location: str
    """The path of the answer, as in the header `Location`."""


class FinishedStage(Frozen):
    """A finished stage of one kind."""

    stage: str
    kind: str
    message: str
    """What the stage found, as in the events of a search."""
    at: datetime
    preview: tuple[Preview, ...] = ()
    """After `shortlist` the best of what was found, before the order is known."""


class Progress(Frozen):
    """What a search that still runs has done."""

    status: Literal["running"] = "running"
    stages: tuple[FinishedStage, ...] = ()
