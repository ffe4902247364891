"""Writes the words by which the spelling of a question is corrected: how many repositories use each, and their names.

    apt-cache dumpavail | python goldpan-data/known_words/make.py REPOSITORIES.jsonl.gz

Counts the owners' own descriptions, names and topics; texts of curators are not read. A name, a word of the sentence
encoder's vocabulary (Apache-2.0), or one that names and short descriptions of two sources of Debian 12 have, that is no
such word has the count 0: it is never corrected, and nothing is corrected to it. Needs the extra `encoder`.
"""

import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable

import goldpan_data
from goldpan.infra.encoder.sentence import SentenceEncoder
from goldpan.text import words

FILE = goldpan_data.file("known_words.txt")
MIN_COUNT, MIN_CHARS, MAX_CHARS = 3, 3, 24
MIN_STARS = 500
"""A repository with fewer is too little known for its name to be typed."""
MIN_SOURCES = 2
"""One source of Debian may have a misspelling in all of its packages."""


def main() -> None:
    """Count, and write the file."""
    counts, names = Counter[str](), set[str]()
    with gzip.open(sys.argv[1], "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            texts = (row["description"], row["name"].replace("-", " ").replace("_", " "), " ".join(row["topics"] or ()))
            counts.update({word for text in texts for word in words(text) if _is_plain(word)})
            if (row["stars"] or 0) >= MIN_STARS:
                names |= {word for word in words(row["name"]) if _is_plain(word)}
    known = {word: count for word, count in counts.items() if count >= MIN_COUNT}
    names |= {word for word in SentenceEncoder().vocabulary() if _is_plain(word)}
    names |= debian_words(sys.stdin)
    known |= dict.fromkeys(sorted(names - known.keys()), 0)
    FILE.write_text("".join(f"{word} {count}\n" for word, count in sorted(known.items())), "utf-8")
    print(f"{FILE}: {len(known):,} words, {len([w for w in known.values() if not w]):,} of them names")


def debian_words(index: Iterable[str]) -> set[str]:
    """Return the words of an index of packages that have several sources."""
    sources, package, source = defaultdict[str, set[str]](set), "", ""
    for line in index:
        name, _, value = line.rstrip().partition(": ")
        if name == "Package":
            package = source = value
        elif name == "Source":
            source = value.split()[0]
        elif name == "Description":
            for word in words(f"{package} {value}"):
                sources[word].add(source)
    return {word for word, found in sources.items() if len(found) >= MIN_SOURCES and _is_plain(word)}


def _is_plain(word: str) -> bool:
    return MIN_CHARS <= len(word) <= MAX_CHARS and word.isascii() and word.isalpha()


if __name__ == "__main__":
    main()
