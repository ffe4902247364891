"""Tests of the optional sentence encoder."""

from __future__ import annotations

import pytest
from goldpan.errors import Misconfigured
from goldpan.infra.encoder import sentence
from goldpan.infra.encoder.port import similarity
from goldpan.infra.encoder.sentence import SentenceEncoder, missing_packages


def test_a_missing_package_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setattr(sentence, "NEEDED", ("json", "no_such_package"))
    with pytest.raises(Misconfigured, match="extra `encoder`; not installed: no_such_package"):
        SentenceEncoder()


@pytest.mark.skipif(bool(missing_packages()), reason="the extra `encoder` is not installed")
def test_sentences_keep_their_vectors_in_a_batch_of_other_lengths() -> None:
    """Batches are sorted and padded by length; neither changes which vector a text gets."""
    texts = ["secret storage", "", "a vault that keeps passwords and credentials of a whole team", "PDF viewer"]
    encoder = SentenceEncoder()
    together = encoder.encode(texts)
    assert all(
        similarity(vector, encoder.encode([text])[0]) > 0.99 for vector, text in zip(together, texts, strict=True)
    )
    assert similarity(together[0], together[2]) > similarity(together[0], together[3]) + 0.2
    assert {len(vector) for vector in together} == {encoder.dimensions}
