"""`goldpan compare` and `goldpan like`: searches that name repositories, printed as any answer or side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from goldpan.errors import InvalidRequest
from goldpan.kinds.registry import DEFAULT_KIND
from goldpan.kinds.repositories.named_requests import like_fields, parse_compare_request

from goldpan_local.completion import COMPARISON_FORMATS
from goldpan_local.exit_codes import require_stdout
from goldpan_local.output import print_answer
from goldpan_local.search_command import answer_request, run_search
from goldpan_local.search_options import SearchOptions
from goldpan_local.search_request import require_format


def run_compare(
    repos: Sequence[str], query: str | None, given: Mapping[str, Any], environment: Mapping[str, str]
) -> int:
    """Compare repositories, print the answer and return the exit code. Raises `GoldpanError`."""
    require_stdout()
    require_format(given.get("format", COMPARISON_FORMATS[0]), COMPARISON_FORMATS)
    if given.get("catalogue") and given.get("source", ["catalogue"]) != ["catalogue"]:
        raise InvalidRequest("--catalogue: names a file, but --source leaves the catalogue out")
    more = {"sources": given["source"]} if "source" in given else {}
    request = parse_compare_request({"repos": list(repos), "query": query}, **more)
    return print_answer(answer_request(request, given, environment), {**given, "compared": True}, environment)


def run_like(repo: str, options: SearchOptions, environment: Mapping[str, str]) -> int:
    """Search for what is like a repository, print the answer and return the exit code. Raises `GoldpanError`."""
    question = like_fields({"repo": repo})["query"]
    return run_search(replace(options, question=[question], kind=[DEFAULT_KIND]), environment)


def compare_options(
    source: list[str] | None, catalogue: Path | None, output_format: str | None, *, refresh: bool, quiet: bool
) -> dict[str, Any]:
    """Return the options that were given."""
    options = {
        "source": [name.lower() for name in source or ()],
        "catalogue": catalogue,
        "format": (output_format or "").lower(),
        "refresh": refresh,
        "quiet": quiet,
    }
    return {name: value for name, value in options.items() if value}
