"""What the state machine hands to the door of scout; that hands back a batch, which is a contract of all flows."""

from __future__ import annotations

from typing import Literal

from goldpan.aws.messages import Asked
from goldpan.kinds.repositories.models import ScoutTask


class ScoutAsked(Asked):
    """One strategy is to be run."""

    stage: Literal["scout"]
    kind: str
    task: ScoutTask
    refresh: bool = False
