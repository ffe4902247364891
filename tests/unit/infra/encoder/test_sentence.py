"""Tests of the optional sentence encoder."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest
from goldpan.errors import Misconfigured
from goldpan.infra.encoder.port import similarity


def test_a_missing_package_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.delitem(sys.modules, "goldpan.infra.encoder.sentence", raising=False)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(Misconfigured, match=re.escape("pip install 'goldpan-search[encoder]'")):
        import_module("goldpan.infra.encoder.sentence")


@pytest.mark.skipif(find_spec("onnxruntime") is None, reason="the extra `encoder` is not installed")
def test_sentences_keep_their_vectors_in_a_batch_of_other_lengths() -> None:
    """Batches are sorted and padded by length; neither changes which vector a text gets."""
    texts = ["secret storage", "", "a vault that keeps passwords and credentials of a whole team", "PDF viewer"]
    encoder = import_module("goldpan.infra.encoder.sentence").SentenceEncoder()
    together = encoder.encode(texts)
    assert all(
        similarity(vector, encoder.encode([text])[0]) > 0.99 for vector, text in zip(together, texts, strict=True)
    )
    assert similarity(together[0], together[2]) > similarity(together[0], together[3]) + 0.2
    assert {len(vector) for vector in together} == {encoder.dimensions}
