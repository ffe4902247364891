"""The port of the language model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed


@dataclass(frozen=True)
class Prompt:
    """Instructions, data without instructions, and how many tokens the completion may have."""

    system: str
    user: str
    max_tokens: int = 400
    attempts: int = 1
    """How many calls may be made, if the first ones are refused for a reason that the next one avoids."""
    is_untrusted: bool = False
    """Whether a part of the data is untrusted text, so that a refusal may be due to it."""


@dataclass(frozen=True)
class Completion:
    """The JSON object of a completion, and what the call cost."""

    data: dict[str, object]
    usage: Usage


class LanguageModelFailed(CallFailed):
    """The model returned no JSON object in time; `usage` is what the call cost all the same.

    `is_of_the_text` says that untrusted text of this one call may be why the provider refused it.
    """

    http_status: int | None = None
    """That of the provider's refusal, None without one."""
    can_be_avoided: bool = False
    """Whether something was learned with which another call may succeed."""

    def __init__(self, message: str, usage: Usage, *, is_of_the_text: bool = False) -> None:
        super().__init__(message)
        self.usage, self.is_of_the_text = usage, is_of_the_text


def in_attempts(prompt: Prompt, call: Callable[[], Completion]) -> Completion:
    """Make at most `prompt.attempts` calls: after one whose failure can be avoided, the next.

    Raises what the last one raises, with the cost of all of them in `LanguageModelFailed`.
    """
    usage = Usage()
    for left in reversed(range(prompt.attempts)):
        try:
            completion = call()
            return Completion(completion.data, usage + completion.usage)
        except LanguageModelFailed as failed:
            failed.usage = usage = usage + failed.usage
            if not (left and failed.can_be_avoided):
                raise
    raise LanguageModelFailed("no call of the language model was allowed", usage)


class LanguageModel(Protocol):
    """A model that answers in JSON."""

    @property
    def name(self) -> str:
        """The model's name, for cache keys and prices."""

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Call the model. Raises `CallFailed`, as `LanguageModelFailed` with its cost, or `CredentialRejected`."""
