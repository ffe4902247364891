"""Write the page for AWS as files: `make page-build`.

They are what `goldpan serve` makes when it starts, for the API of a stack, whose operations /docs and /openapi.json
describe.
"""

import json
import sys
from pathlib import Path

from goldpan_local.page.files import ServerDescription, page_files
from goldpan_local.server.contract import contract, docs_page
from pydantic.json_schema import JsonSchemaValue

ROOT = Path(__file__).resolve().parents[2]
GATEWAY = ROOT / "api" / "gateway.json"
START = "index.html"
STACK = ServerDescription(needs_key=True, sends_events=False, has_page_paths=False)


def site() -> dict[str, bytes]:
    """Return the files by their paths."""
    document = served_contract()
    made = {"/docs": docs_page(document), "/openapi.json": json.dumps(document, ensure_ascii=False)}
    return page_files(STACK) | {path: text.encode() for path, text in made.items()}


def served_contract() -> JsonSchemaValue:
    """Return the contract with the operations that API Gateway serves."""
    document, served = contract(), json.loads(GATEWAY.read_text("utf-8"))["paths"]
    paths = {
        path: {verb: operation for verb, operation in operations.items() if verb in served[path]}
        for path, operations in document["paths"].items()
        if path in served
    }
    return {**document, "paths": paths}


def write(folder: Path) -> int:
    """Write the files; return their number."""
    files = site()
    for path, body in files.items():
        target = folder / (path.lstrip("/") or START)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body)
    return len(files)


if __name__ == "__main__":
    chosen = Path(sys.argv[1])
    print(f"built: {chosen}, {write(chosen)} files")
