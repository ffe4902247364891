"""Marks every test of the long campaigns as slow, unless it is marked as a short form."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests before pytest selects them by their marks."""
    for item in items:
        if item.path.is_relative_to(FOLDER) and not item.get_closest_marker("short"):
            item.add_marker("slow")
