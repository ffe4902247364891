"""What all tests share: none of them remembers anything beyond itself, unless it says where."""

import os
from pathlib import Path

import pytest
from hypothesis import Phase, settings

os.environ["GOLDPAN_CACHE"] = "off"

# A busy machine takes longer than Hypothesis allows for an example. Each run draws other examples, so that many runs
# try many, and each stays short.
settings.register_profile("goldpan", deadline=None, max_examples=40)
settings.load_profile("goldpan")
settings.register_profile("mutants", settings.get_profile("goldpan"), phases=[Phase.explicit, Phase.generate])

# Servers on the loopback interface are called directly, whatever proxy this machine has.
for proxy in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
    os.environ.pop(proxy, None)
    os.environ.pop(proxy.upper(), None)

SOCKETS = tuple(Path(__file__).parent / name for name in ("e2e", "integration", "recorded", "slow"))
"""The folders whose tests may open sockets; of the other tests, each that may is marked."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let tests of several parts together open sockets."""
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in SOCKETS):
            item.add_marker("enable_socket")
