"""Decides what a search on this machine asks, and makes only that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from goldpan.bootstrap import Runtime, language_model, local_runtime
from goldpan.contracts import Source
from goldpan.deadline import WallClock
from goldpan.errors import InvalidRequest
from goldpan.repositories.ports import Ports
from goldpan.settings import LocalSettings
from goldpan.sources.catalogue import Catalogue

from goldpan_local.sample import sample_catalogue


def open_runtime(asked: Sequence[Source] | None, catalogue_file: Path | None) -> Runtime:
    """Make the runtime for the sources that were asked for by name, or for a catalogue file, or for neither.

    Neither: GitHub, and the sample where GitHub fails. A file: that catalogue alone, since naming it means
    wanting it. Sources by name: those alone; nothing else answers in their place.
    """
    if asked is None and catalogue_file is None:
        return local_runtime(os.environ, sample_catalogue())
    wanted = tuple(asked or ("catalogue",))
    if catalogue_file is not None and "catalogue" not in wanted:
        message = f"--catalogue names {catalogue_file}, but --source leaves the catalogue out"
        raise InvalidRequest(message)
    catalogue = _catalogue(catalogue_file) if "catalogue" in wanted else None
    if "github" in wanted:
        made = local_runtime(os.environ, catalogue)
        return Runtime(made.ports, wanted, (), made.clock)
    return _offline(wanted, catalogue)


def _catalogue(file: Path | None) -> Catalogue:
    return sample_catalogue() if file is None else Catalogue.open(file)


def _offline(wanted: tuple[Source, ...], catalogue: Catalogue | None) -> Runtime:
    """Make the runtime without GitHub, whose client would cost an import."""
    settings, clock = LocalSettings.from_environment(os.environ), WallClock()
    sources = {} if catalogue is None else {"catalogue": catalogue}
    return Runtime(Ports(clock=clock, sources=sources, llm=language_model(settings)), wanted, (), clock)
