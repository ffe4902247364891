"""Writes the stems of the words in goldpan's own tables: computing them takes a tenth of a short search.

    python scripts/stems/make.py

Reads the vocabulary, the categories and the words of the reading; run it after changing them. A word that is missing
from the file is stemmed as any other.
"""

from __future__ import annotations

from pathlib import Path

from goldpan.kinds.repositories import categories
from goldpan.kinds.repositories.question import reading, vocabulary
from goldpan.text import STEMS, stemmed, words

TABLES = (
    categories.FILE,
    Path(vocabulary.__file__).with_name("vocabulary.toml"),
    Path(reading.__file__).with_name("wording.toml"),
)


def main() -> None:
    """Write the file."""
    texts = [path.read_text("utf-8") for path in TABLES]
    names = "\n".join(line.partition("\t")[0] for line in texts[0].splitlines())
    found = {word for text in (names, *texts[1:]) for word in words(text)}
    rows = sorted(f"{word} {stemmed(word)}" for word in found if word.isascii() and word.isalpha())
    STEMS.write_text("\n".join(rows) + "\n", "utf-8")
    print(f"{STEMS.name}: {len(rows)} words")


if __name__ == "__main__":
    main()
