"""`goldpan compare` and `goldpan like`: searches that name repositories, printed as any answer or side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from goldpan.kinds.registry import DEFAULT_KIND
from goldpan.kinds.repositories.named_requests import like_fields, parse_compare_request

from goldpan_local.completion import COMPARISON_FORMATS
from goldpan_local.exit_codes import require_stdout
from goldpan_local.named_commands import CompareOptions
from goldpan_local.output import print_answer
from goldpan_local.search_command import answer_request, run_search
from goldpan_local.search_options import SearchOptions
from goldpan_local.search_request import require_format


def run_compare(options: CompareOptions, environment: Mapping[str, str]) -> int:
    """Compare repositories, print the answer and return the exit code. Raises `GoldpanError`."""
    require_stdout()
    given: dict[str, Any] = {name: value for name, value in asdict(options).items() if value}
    for name in ("format", "source"):
        if name in given:
            given[name] = [each.lower() for each in given[name]] if name == "source" else given[name].lower()
    require_format(given.get("format", COMPARISON_FORMATS[0]), COMPARISON_FORMATS)
    more = {"sources": given["source"]} if "source" in given else {}
    request = parse_compare_request({"repos": options.repos, "query": options.query}, **more)
    return print_answer(answer_request(request, given, environment), {**given, "compared": True}, environment)


def run_like(repo: str, options: SearchOptions, environment: Mapping[str, str]) -> int:
    """Search for what is like a repository, print the answer and return the exit code. Raises `GoldpanError`."""
    question = like_fields({"repo": repo})["query"]
    return run_search(replace(options, question=[question], kind=[DEFAULT_KIND]), environment)
