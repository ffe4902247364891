"""How surely a repository is of a category that the question means: as goldpan lists it, else guessed from its text."""

import math
from collections.abc import Iterable, Mapping, Sequence

from goldpan.kinds.repositories.categories import Category, category_index, fitting_categories
from goldpan.kinds.repositories.models import Repository, SearchParams
from goldpan.kinds.repositories.repository_text import nameless_text

GUESSED_SHARE, GUESS_SHARPNESS = 0.7, 20
"""What the guess of a category from a text alone counts, and how fast it falls for those that are less close to it."""


class CategoryShares:
    """The categories that one question means, and how surely repositories are of them."""

    def __init__(self, params: SearchParams) -> None:
        self._fitting = fitting_categories(params)
        self._listed = listed_shares(self._fitting)

    def name(self, repository: Repository) -> str:
        """Return the category that is meant most surely of those that list a repository; empty if none does."""
        return self._listed.get(repository.full_name.lower(), (0.0, ""))[1]

    def of(self, repositories: Sequence[Repository]) -> list[float]:
        """Return how surely each repository is of a category that is meant, 0 to 1.

        What is listed as something else alone has 0. Of what no category lists nothing says that it is of none: its
        text, with the note that a person or a language model wrote on it, is compared with the categories.
        """
        names = [one.full_name.lower() for one in repositories]
        everywhere = category_index().listed
        unlisted = {
            name: nameless_text(one) for name, one in zip(names, repositories, strict=True) if name not in everywhere
        }
        asked = self._fitting and unlisted
        distances = category_index().distances([*unlisted.values()]) if asked else [()] * len(unlisted)
        guessed = {name: _guess(self._fitting, each) for name, each in zip(unlisted, distances, strict=True)}
        return [guessed.get(name, self._listed.get(name, (0.0, ""))[0]) for name in names]


def listed_shares(categories: Iterable[Category]) -> Mapping[str, tuple[float, str]]:
    """Return how surely each repository is of a category that the question means, 0 to 1, and the first one's name."""
    found: dict[str, tuple[float, str]] = {}
    for category in categories:
        for repository in category.repositories:
            share, name = found.get(repository, (0.0, category.name))
            found[repository] = (min(1.0, share + category.share), name)
    return found


def _guess(categories: Sequence[Category], distances: Sequence[float]) -> float:
    """Return how surely a repository is of the categories, 0 to 1, from how far its text is from each one of all.

    The category that is closest in meaning counts in full, others by how much farther they are.
    """
    least = min(distances, default=1)
    if least >= 1:  # the encoder knows no word of the text
        return 0.0
    weights = (one.share * math.exp(GUESS_SHARPNESS * (least - distances[one.number - 1])) for one in categories)
    return GUESSED_SHARE * min(1.0, sum(weights))
