"""A language model whose failures are counted, for those who operate it."""

from __future__ import annotations

from goldpan.engine.deadlines import Deadline
from goldpan.infra.circuit_breaker import Count
from goldpan.infra.llm.port import Completion, LanguageModel, LanguageModelFailed, Prompt


class CountedModel:
    """A language model that counts its failed calls as `LlmFailed`; all else is the model's own."""

    def __init__(self, model: LanguageModel, count: Count) -> None:
        self._model, self._count = model, count

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Ask once; raises what the model raises, and counts it, but for a call that no time was left to make."""
        try:
            return self._model.complete(prompt, deadline)
        except LanguageModelFailed as failure:
            if failure.usage.llm_calls:
                self._count("LlmFailed")
            raise
        except Exception:
            self._count("LlmFailed")
            raise
