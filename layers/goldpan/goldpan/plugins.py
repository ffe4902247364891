"""What other installed distributions offer by entry points: kinds of results, and sources. None is imported here."""

import logging
import os
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

KINDS_GROUP, SOURCES_GROUP = "goldpan.kinds", "goldpan.sources"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, order=True)
class Plugin:
    """One entry point: the distribution with its version, the name, and the place, `module:name`."""

    distribution: str
    name: str
    place: str


def offered(group: str, taken: Collection[str]) -> dict[str, Plugin]:
    """Return what is offered in a group by its names; a name that is taken or wrong is left out, with a warning."""
    found: dict[str, Plugin] = {}
    for plugin in sorted(_entry_points(group)):
        if plugin.name in {*taken, *found} or not re.fullmatch("[a-z][a-z0-9_]*", plugin.name):
            why = "has the name of another one" if plugin.name in {*taken, *found} else "needs a name such as my_source"
            _LOG.warning("%s: %r of %s is not used: it %s", group, plugin.name, plugin.distribution, why)
        else:
            found[plugin.name] = plugin
    return dict(sorted(found.items()))


def _entry_points(group: str) -> Iterator[Plugin]:
    """Read the entry points of a group, if any installed distribution has one: most installations have none."""
    if any(map(_names_a_group, sys.path)):
        from importlib.metadata import entry_points  # noqa: PLC0415 - reading all that is installed takes 30 ms

        for point in entry_points(group=group):
            named = f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown distribution"
            yield Plugin(named, point.name, point.value)


def _names_a_group(folder: str) -> bool:
    """Whether a distribution in a folder of the search path has entry points for goldpan."""
    try:
        names = [name for name in os.listdir(folder or ".") if name.endswith("-info")]  # noqa: PTH208 - 1 ms, not 10
    except OSError:  # a zip file, or a folder that is missing
        return False
    files = (Path(folder, name, "entry_points.txt") for name in names)
    return any(b"[goldpan." in file.read_bytes() for file in files if file.is_file())
