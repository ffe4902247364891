"""Add the HTTP contract to the wheel; pyproject.toml holds the rest of the build configuration."""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithContract(build_py):
    """Build the packages, and copy api/openapi.yaml to goldpan_local/api.

    An editable installation reads the file from the source tree instead.
    """

    def run(self) -> None:
        """Build."""
        super().run()
        if not self.editable_mode:
            folder = Path(self.build_lib, "goldpan_local", "api")
            self.mkpath(str(folder))
            self.copy_file("api/openapi.yaml", str(folder))


setup(cmdclass={"build_py": BuildWithContract})
