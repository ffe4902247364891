"""Decides what a search on this machine asks, and makes only that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from goldpan.bootstrap import local_runtime, offline_runtime
from goldpan.contracts import Source
from goldpan.engine.runtime import Runtime
from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.sources.catalogue import Catalogue

from goldpan_local.sample import sample_catalogue

SAMPLE = "sample"
"""Names the embedded catalogue; it changes with the version alone, which stands in every key."""


def open_runtime(asked: Sequence[Source] | None, catalogue_file: Path | None) -> Runtime:
    """Make the runtime for the sources that were asked for by name, or for a catalogue file, or for neither.

    Neither: GitHub, and the sample where GitHub fails. A file: that catalogue alone, since naming it means
    wanting it. Sources by name: those alone; nothing else answers in their place.
    """
    if asked is None and catalogue_file is None:
        return local_runtime(os.environ, sample_catalogue(), SAMPLE)
    wanted = tuple(asked or ("catalogue",))
    if catalogue_file is not None and "catalogue" not in wanted:
        message = f"--catalogue names {catalogue_file}, but --source leaves the catalogue out"
        raise InvalidRequest(message)
    catalogue, name = _catalogue(catalogue_file) if "catalogue" in wanted else (None, "")
    if "github" not in wanted:
        return offline_runtime(os.environ, catalogue, name, wanted)
    return replace(local_runtime(os.environ, catalogue, name), sources=wanted, fallback=())


def _catalogue(file: Path | None) -> tuple[Catalogue, str]:
    """Open a catalogue, and name it by all that changes when its file does."""
    if file is None:
        return sample_catalogue(), SAMPLE
    catalogue, state = Catalogue.open(file), file.stat()
    return catalogue, f"{file.resolve()} {state.st_size} {state.st_mtime_ns}"
