"""What stands on the way of every search pays for no store that it may not use."""

from __future__ import annotations

import subprocess
import sys


def test_no_store_loads_its_client_when_it_is_imported() -> None:
    """Importing the stores of AWS loads no boto3, and importing the ports loads no SQLite."""
    program = (
        "import sys\n"
        "import goldpan.infra.cache.port, goldpan.infra.rate_limits.port, goldpan.infra.locks.port\n"
        "import goldpan.infra.cache.dynamodb, goldpan.infra.rate_limits.dynamodb, goldpan.infra.locks.dynamodb\n"
        "print([name for name in ('boto3', 'botocore', 'sqlite3') if name in sys.modules])\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=_ENVIRONMENT)
    assert told.stdout == "[]\n"


_ENVIRONMENT = {"PYTHONPATH": ":".join(sys.path)}
