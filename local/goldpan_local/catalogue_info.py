"""What `goldpan catalogue info` tells."""

from __future__ import annotations

from pathlib import Path

from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

from goldpan_local.endings import write_out
from goldpan_local.figures import file_size
from goldpan_local.sample import sample_catalogue
from goldpan_local.untrusted import plain


def describe(file: Path | None) -> None:
    """Write the title, the number of repositories, the day of the facts and the size."""
    catalogue = sample_catalogue() if file is None else Catalogue.open(file)
    facts = {
        "title": plain(catalogue.title),
        "repositories": f"{catalogue.size:,}",
        "facts as of": plain(catalogue.as_of) or "unknown",
        "file": "part of the command" if file is None else f"{plain(str(file))}, {file_size(file.stat().st_size)}",
    }
    write_out("".join(f"{name:<14}{value}\n" for name, value in facts.items()))
