"""The catalogue: repositories in one SQLite file, searched with GitHub's meaning of a search."""

from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

__all__ = ["Catalogue", "build_catalogue", "records_from_lines"]
