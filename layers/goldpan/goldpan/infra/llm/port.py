"""The port of the language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed


@dataclass(frozen=True)
class Prompt:
    """What is asked: instructions, and data that holds no instructions."""

    system: str
    user: str
    max_tokens: int = 400


@dataclass(frozen=True)
class Completion:
    """A JSON object as the model gave it, and what it cost."""

    data: dict[str, object]
    usage: Usage


class LanguageModel(Protocol):
    """A model that answers in JSON."""

    @property
    def name(self) -> str:
        """The model's name, for caching and prices."""

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Ask once; raises `CallFailed` (with what was spent, as `LanguageModelFailed`) or `CredentialRejected`."""


class LanguageModelFailed(CallFailed):
    """The model gave no JSON object in time; `usage` is what the call cost all the same."""

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage
