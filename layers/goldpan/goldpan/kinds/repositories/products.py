"""What the products are that a question may want something like, such as "alternative to Trello" (products.toml).

Most products that people want to replace are no repository, and a repository that has the name is often a client of it.
"""

import tomllib
from functools import cache
from pathlib import Path

from goldpan.text import words

FILE = Path(__file__).with_name("products.toml")


def product_subject(name: str) -> str | None:
    """Return the words that say what a product is; None if the table does not have it."""
    return _subjects().get(tuple(words(name)))


def product_words() -> frozenset[str]:
    """Return the names that are one word, which a misspelled name may mean."""
    return frozenset(name[0] for name in _subjects() if len(name) == 1)


@cache
def _subjects() -> dict[tuple[str, ...], str]:
    table: dict[str, list[str]] = tomllib.loads(FILE.read_text("utf-8"))["products"]
    return {tuple(words(name)): subject for subject, names in table.items() for name in names}
