"""The optional sentence encoder of a benchmark."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldpan.infra.encoder.sentence import SentenceEncoder

PASSAGE_TOKENS = 256
"""Tokens of a passage that are read: as many as the model was made for."""


def has_sentence_encoder() -> bool:
    """Report whether the extra `encoder` is installed, and say so if it is not."""
    if find_spec("onnxruntime") is None:
        print("skipped: the sentence encoder, because the extra `encoder` is not installed")
        return False
    return True


def sentence_encoder(max_tokens: int | None = None) -> SentenceEncoder:
    """Make the sentence encoder. Raises `Misconfigured` if the extra `encoder` is not installed."""
    from goldpan.infra.encoder import sentence  # noqa: PLC0415 - an optional extra

    return sentence.SentenceEncoder(max_tokens=max_tokens or sentence.MAX_TOKENS)
