"""What a bibliography says of where a paper appeared; every model of a paper has it."""

from goldpan.config import Frozen


class Publication(Frozen):
    """What a bibliography says of where a paper appeared, beside its venue; None is unknown."""

    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    """Such as "12-34", or the number of an article that has no pages."""
    publisher: str | None = None
    editors: tuple[str, ...] = ()
    isbn: str | None = None
    issn: str | None = None
    language: str | None = None
    license: str | None = None
    """By its address or its name, as the source writes it."""
    notices: tuple[str, ...] = ()
    """Retractions and corrections, such as "Correction: 10.1000/xyz"."""


PUBLICATION = tuple(Publication.model_fields)
