"""Installed distributions with entry points for goldpan, in a folder of the search path."""

from collections.abc import Mapping
from pathlib import Path


def write_distribution(folder: Path, name: str, entry_points: Mapping[str, Mapping[str, str]], **modules: str) -> None:
    """Write what pip writes for a distribution, version 1.0: its entry points by their group, and its modules."""
    information = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = (f"[{group}]\n" + "\n".join(map(" = ".join, points.items())) for group, points in entry_points.items())
    (information / "entry_points.txt").write_text("\n".join(groups))
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code)
