"""An encoder for tests: texts that share words are similar, its synonyms are the same word."""

from collections.abc import Callable, Mapping, Sequence

from goldpan.infra.encoder.endpoint import pack
from goldpan.infra.encoder.port import Encoder, Vector

from tests.support.loopback.llm import DIMENSIONS, hashed_words

Refuse = Callable[[Sequence[str]], None]


class HashedEncoder(Encoder):
    """Counts the texts that it encodes; `refuse` may raise for the texts of a call."""

    dimensions = DIMENSIONS

    def __init__(
        self,
        name: str = "hashed",
        synonyms: Mapping[str, str] | None = None,
        refuse: Refuse = lambda _: None,
        *,
        is_summed: bool = False,
    ) -> None:
        self.name, self.refuse, self.texts = name, refuse, list[str]()
        self._synonyms, self.sums_words = synonyms or {}, is_summed

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text."""
        self.refuse(texts)
        self.texts += texts
        replaced = [" ".join(self._synonyms.get(word, word) for word in text.lower().split()) for text in texts]
        return [pack(row) for row in hashed_words(replaced)]
