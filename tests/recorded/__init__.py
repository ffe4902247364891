"""What goldpan reads, against recorded responses and published schemas that are not part of the project."""

import gzip
import json
from pathlib import Path
from typing import Any

from tests.support.loopback.wire import Response

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
API_SAMPLES = DATA / "api_samples"


def decompressed(file: Path) -> str:
    """Read a compressed file."""
    return gzip.decompress(file.read_bytes()).decode()


def recorded_exchanges(folder: str) -> list[dict[str, Any]]:
    """Return the recorded exchanges of a folder: method, url, request_body, status, headers, body."""
    files = sorted((API_SAMPLES / folder).glob("*.json.gz"))
    return [exchange for file in files for exchange in json.loads(decompressed(file))]


def recorded_response(name: str) -> Response:
    """Return the first response of a recording."""
    row = json.loads(decompressed(API_SAMPLES / f"{name}.json.gz"))[0]
    body: Any = row["body"]
    return Response(row["status"], (body if isinstance(body, str) else json.dumps(body)).encode())
