"""The word table, the sentence encoder, and the scan of stored vectors."""

import hashlib
import json
import math
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from operator import mul

import goldpan_data
import pytest
from goldpan.errors import Misconfigured
from goldpan.infra.encoder.port import StoredVectors, Vector, quantised
from goldpan.infra.encoder.table import MAGIC, WordTable, shipped_table, table_bytes


def _table(rows: dict[str, tuple[int, ...]], *scales: int) -> WordTable:
    components = bytes(value + 128 for row in rows.values() for value in row)
    return WordTable(table_bytes("small", list(rows), bytes(scales), components))


def similarity(a: Vector, b: Vector) -> float:
    """Return the cosine of two vectors, by exact integers; 0 if one of them is all zero."""
    left, right = memoryview(a).cast("b"), memoryview(b).cast("b")
    lengths = sum(map(mul, left, left)) * sum(map(mul, right, right))
    return sum(map(mul, left, right)) / math.sqrt(lengths) if lengths else 0.0


SMALL = _table({"queue": (10, 0, -20), "messag": (-128, 1, 5)}, 3, 255)


def test_a_vector_is_the_scaled_sum_of_the_rows_of_its_words() -> None:
    """A sum is exact and only then scaled to 8 bits; a repeated word counts once, and a pair is more than its words."""
    # queues: 3 * (10, 0, -20) = (30, 0, -60); the largest component becomes 127
    assert list(memoryview(SMALL.encode(["the Queues"])[0]).cast("b")) == [64, 0, -127]
    # message queue: (30, 0, -60) + 255 * (-128, 1, 5) = (-32610, 255, 1215); a word counts once
    assert list(memoryview(SMALL.encode(["message queue, message queue"])[0]).cast("b")) == [-127, 1, 5]
    assert (quantised([2.0, -1.0, 0.62]), quantised([0.0, 0.0])) == (bytes([127, 256 - 63, 39]), bytes(2))
    table = _table({"drag": (10, 0, 0), "drop": (0, 10, 0), "drag drop": (0, 0, 40)}, 1, 1, 1)
    vectors = [list(memoryview(vector).cast("b")) for vector in table.encode(["drag and drop", "drop drag"])]
    assert vectors == [[32, 32, 127], [127, 127, 0]]


def test_a_text_without_a_known_word_is_like_no_other() -> None:
    """Unknown words give a zero vector and no matches, not an error or a division by zero."""
    unknown, known = SMALL.encode(["zzyzx 世界", "queue"])
    assert unknown == bytes(3)
    assert similarity(unknown, known) == 0
    assert SMALL.compare("zzyzx").closeness(["queue"]) == SMALL.compare("message").closeness(["queue"]) == [0]
    assert SMALL.compare("zzyzx").pairs("queue") == SMALL.compare("queue").pairs("") == []


def test_the_shipped_table_knows_meaning_beyond_words() -> None:
    """Texts that share no word are compared by what they mean."""
    for texts in (
        ("database schema migrations", "Version control for your SQL tables", "A PDF viewer for mobile apps"),
        ("speech to text", "Transcribe audio recordings", "Draw charts in the terminal"),
        ("secret storage", "A vault for passwords and credentials", "Game engine with physics"),
    ):
        asked, first, second = shipped_table().encode(texts)
        assert similarity(asked, first) > similarity(asked, second) + 0.1


def test_the_shipped_table_is_intact_and_small() -> None:
    """Its content has the checksum of its header."""
    content = goldpan_data.file("word_table.bin").read_bytes()
    header, _, body = content.removeprefix(MAGIC).partition(b"\n")
    assert len(content) <= 5_000_000
    assert json.loads(header)["sha256"] == hashlib.sha256(body).hexdigest()


def test_each_word_of_a_question_finds_the_closest_word_of_a_document() -> None:
    """The words of a reason are those that a person would pair, as they were typed."""
    pairs = shipped_table().compare("store passwords").pairs("A Vault for Credentials, written in Rust")
    assert {pair.question: pair.document for pair in pairs}["passwords"] == "credentials"
    assert [pair.share for pair in pairs] == sorted((pair.share for pair in pairs), reverse=True)
    pairs = SMALL.compare("Queues of messages queue").pairs("messages, queue")
    assert [(pair.question, pair.document) for pair in pairs] == [("messages", "messages"), ("queues", "queue")]
    assert pairs[1].share == pytest.approx(22.36 * 3 / (22.36 * 3 + 128.10 * 255), abs=1e-5), "of all significance"


TEXTS = [
    "HTTP client with retries", "Web framework for small services", "", "Fast HTTP requests",
    "Image resizing in the browser", "HTTP client with retries", "Charts for React",
]  # fmt: skip


def test_a_scan_has_the_order_and_the_values_of_the_similarity() -> None:
    """Equal vectors stay in stored order, also under a limit; those without a positive similarity are left out."""
    table = shipped_table()
    question, *stored = table.encode(["http request library", *TEXTS])
    expected = [similarity(question, vector) for vector in stored]
    hits = StoredVectors(b"".join(stored), table.dimensions).nearest(question, 100)
    order = sorted(range(len(TEXTS)), key=lambda position: (-expected[position], position))
    assert [*hits] == [position for position in order if expected[position] > 0]
    assert [*hits.values()] == pytest.approx([expected[position] for position in hits], abs=1e-6)
    question, *stored = table.encode(["client with retries", *TEXTS])
    vectors = StoredVectors(b"".join(stored), table.dimensions)
    assert [*vectors.nearest(question, 1)] == [0]
    assert [*vectors.nearest(question, 1, among=[2, 5, 6])] == [5]
    assert vectors.nearest(bytes(table.dimensions), 5) == StoredVectors(b"", 3).nearest(b"\x01\x02\x03", 5) == {}


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
    alone = [encoder.encode([text])[0] for text in texts]
    assert all(similarity(*both) > 0.99 for both in zip(together, alone, strict=True))
    assert similarity(together[0], together[2]) > similarity(together[0], together[3]) + 0.2
    assert {len(vector) for vector in together} == {encoder.dimensions}
