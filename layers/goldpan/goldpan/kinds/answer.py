"""The answer with a typed attribute for each kind, so that a type checker knows the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from goldpan.contracts.answer import BaseAnswer

if TYPE_CHECKING:
    from goldpan.kinds.papers.results import PaperCollection
    from goldpan.kinds.repositories.results import RepositorySection


class Answer(BaseAnswer):
    """The answer to one request; of several kinds, one that failed has no section, as `warnings` and `errors` say.

    In JSON each section is a field of the answer, named by its kind. Attribute access works the same way, also for
    kinds that are registered later: `answer.repositories` is `answer.sections["repositories"]`, or None if that kind
    was not requested or failed.
    """

    @property
    def repositories(self) -> RepositorySection | None:
        """The ranked repositories, None if they were not requested or all of their sources failed."""
        return cast("RepositorySection | None", self.sections.get("repositories"))

    @property
    def papers(self) -> PaperCollection | None:
        """The ranked papers, None if they were not requested or all of their sources failed."""
        return cast("PaperCollection | None", self.sections.get("papers"))
