"""The definitions of the tools, which an agent pays for in every conversation."""

import asyncio
import json

import pytest

from tests.support.local import github_runtime

MAX_TOKENS = 1800


@pytest.mark.filterwarnings("ignore:open_binary is deprecated")
def test_the_definitions_of_all_tools_are_short() -> None:
    """With the schemas of their outputs, in the tokens of o200k_base, as JSON without spaces, which is sent."""
    pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is not installed")
    encoding = pytest.importorskip("bpe_openai").get_encoding("o200k_base")
    from goldpan_local.agents.server import make_server  # noqa: PLC0415 - optional

    tools = asyncio.run(make_server(github_runtime()).list_tools())
    definitions = [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in tools]
    assert len(encoding.encode(json.dumps(definitions, separators=(",", ":")))) <= MAX_TOKENS
    [exclude] = [each["inputSchema"]["properties"]["filters"]["properties"]["exclude"] for each in definitions[:1]]
    assert exclude == {"type": "array", "items": {"type": "string"}, "description": "Nothing that is this"}
