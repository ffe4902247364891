"""The recorded material beside the repository, which tests use where it is."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
API_SAMPLES = SHARED / "data" / "api_samples"
MISSING = "the recorded exchanges of ../shared/data/api_samples are not here"


def recorded_exchanges(folder: str) -> list[dict[str, Any]]:
    """Return the recorded exchanges of a folder: method, url, request_body, status, headers, body."""
    files = sorted((API_SAMPLES / folder).glob("*.json.gz"))
    return [exchange for file in files for exchange in json.loads(gzip.decompress(file.read_bytes()))]
