"""The version of goldpan-data changes with its files, because it is part of every cache key."""

from hashlib import sha256

import goldpan_data
from goldpan.infra.encoder.table import shipped_table

from tests.contract.stack.documents import text

RELEASED = ("2026.11.23.6", "e236d63edbe961a5")
"""The version, and the digest of its files."""


def test_another_version_for_other_files() -> None:
    """With other notes under the same version, an old answer would be served from the cache."""
    digest = sha256()
    for path in sorted(goldpan_data.FOLDER.iterdir()):
        if path.suffix in {".txt", ".bin", ".sqlite"}:
            digest.update(path.name.encode() + path.read_bytes())
    assert (goldpan_data.__version__, digest.hexdigest()[:16]) == RELEASED


def test_the_card_counts_what_the_files_hold() -> None:
    """A reader of the card sees how much each file is."""
    card = text("goldpan-data/README.md")
    lines = {name: goldpan_data.read_lines(f"{name}.txt") for name in ("notes", "known_words")}
    kinds = [line.partition("\t") for line in text("goldpan-data/categories/categories.txt").splitlines()]
    needs = text("goldpan-data/categories/needs.txt").splitlines()
    counts = (
        f"{len(kinds):,} kinds",
        f"{sum(names.count('; ') + 1 for names, _, _ in kinds):,} names",
        f"{sum(line.count('; ') + 1 for line in needs):,} needs",
        f"{len({one for _, _, repositories in kinds for one in repositories.split()}):,} repositories",
    )
    assert f"| {len(lines['notes']):,} repositories |" in card
    assert f"| {', '.join(counts)} |" in card
    assert f"| {len(lines['known_words']):,} words |" in card
    header = shipped_table().header
    assert f"| {header.rows:,} rows of {header.dimensions} components |" in card
