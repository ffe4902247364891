"""Tests of the closest words."""

from __future__ import annotations

import pytest
from goldpan.infra.encoder.port import similarity
from goldpan.infra.encoder.table import BestMatches, shipped_table


def test_each_word_of_a_question_finds_the_closest_word_of_a_document() -> None:
    """The words of a reason are those that a person would pair, as they were typed."""
    pairs = BestMatches(shipped_table(), "store passwords").of("A Vault for Credentials, written in Rust")
    assert {pair.question: pair.document for pair in pairs}["passwords"] == "credentials"
    assert [pair.share for pair in pairs] == sorted((pair.share for pair in pairs), reverse=True)


def test_shares_agree_with_the_cosines_of_single_words() -> None:
    """The dot products that share one long integer do not disturb one another, negative ones included."""
    table = shipped_table()
    asked, words = ["chess", "invoice", "kernel"], ["payment", "scheduler", "board"]
    matches = BestMatches(table, " ".join(asked))
    for word in words:
        ratios = {
            pair.question: pair.share / BestMatches(table, pair.question).of(word)[0].share for pair in matches.of(word)
        }
        assert sum(ratios.values()) == pytest.approx(1)
        single = BestMatches(table, asked[0]).of(word)[0].share
        assert single == pytest.approx(similarity(*table.encode([asked[0], word])), abs=0.01)


def test_texts_without_known_words_have_no_matches() -> None:
    """An empty question or document is no error."""
    table = shipped_table()
    assert BestMatches(table, "zzyzx").of("chess board") == []
    assert BestMatches(table, "chess").of("") == []
