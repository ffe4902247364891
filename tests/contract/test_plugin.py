"""The plugin for agents: its manifest, skills and commands are in the form that loaders of plugins read.

https://code.claude.com/docs/en/plugins-reference and https://agentskills.io/specification
"""

import asyncio
import json
import re
from pathlib import Path

import goldpan
import pytest
import yaml

from tests.contract.stack.documents import ROOT
from tests.support.local import github_runtime

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SKILLS, COMMANDS = sorted((ROOT / "skills").glob("*/SKILL.md")), sorted((ROOT / "commands").glob("*.md"))
SKILL_FIELDS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
COMMAND_FIELDS = {"description", "argument-hint", "allowed-tools", "model", "disable-model-invocation"}


def front_matter(path: Path) -> dict[str, str]:
    """Return the fields between the two lines `---` at the beginning of a file; they are texts."""
    match = re.match(r"---\n(.*?)\n---\n\s*\S", path.read_text("utf-8"), re.DOTALL)
    assert match, path
    fields = yaml.safe_load(match[1])
    assert all(isinstance(value, str) and value.strip() for value in fields.values()), fields
    return dict(fields)


def test_the_manifest_names_the_plugin_of_the_commands() -> None:
    """`/paper-researcher:paper-search` exists, with the version of goldpan; the marketplace lists the same plugin."""
    manifest = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert (manifest["name"], manifest["version"]) == ("paper-researcher", goldpan.__version__)
    assert NAME.fullmatch(manifest["name"])
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    assert NAME.fullmatch(market["name"])
    assert market["owner"]["name"]
    assert [(each["name"], each["source"]) for each in market["plugins"]] == [(manifest["name"], "./")]
    assert {path.stem for path in COMMANDS} == {"paper-search", "paper-collect"}


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_a_skill_has_valid_front_matter(path: Path) -> None:
    """Its name is that of its folder, and a loader would refuse no field."""
    fields = front_matter(path)
    assert {"name", "description"} <= {*fields} <= SKILL_FIELDS
    assert (fields["name"], bool(NAME.fullmatch(fields["name"]))) == (path.parent.name, True)
    assert len(fields["description"]) <= 1024
    assert len(fields["compatibility"]) <= 500
    assert re.search(r"[<>]", fields["description"]) is None


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_a_command_has_valid_front_matter(path: Path) -> None:
    """It passes its arguments on, and the script that it names exists in the plugin."""
    fields = front_matter(path)
    assert {"description", "argument-hint"} <= {*fields} <= COMMAND_FIELDS
    text = path.read_text("utf-8")
    assert "$ARGUMENTS" in text
    [script] = re.findall(r"\$\{CLAUDE_PLUGIN_ROOT\}/([\w/.-]+\.py)", text)
    assert (ROOT / script).is_file()


def test_the_skill_of_the_tools_names_tools_that_exist() -> None:
    """An agent that follows it calls no tool and gives no argument that the server does not have."""
    pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is not installed")
    from goldpan_local.agents.server import make_server  # noqa: PLC0415 - optional

    definitions = repr(asyncio.run(make_server(github_runtime()).list_tools()))
    text = (ROOT / "skills" / "goldpan-tools" / "SKILL.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z_-]+)`", text)) - {"why", "caveats", "notes"}
    assert "analyze_repository" in named
    assert [word for word in named if word not in definitions] == []
