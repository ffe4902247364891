"""The notice about a missing GitHub token."""

from __future__ import annotations

from pathlib import Path

import pytest
from goldpan.kinds.repositories.sources.github.source import NO_TOKEN
from goldpan_local.output import with_token_hint

from tests.support.local import answer


@pytest.mark.parametrize(
    ("script", "environment", "hinted"),
    [
        ('test "$1 $2" = "auth token" && echo gho_secret', {}, True),
        ("echo no oauth token >&2; exit 1", {}, False),
        ("echo gho_secret", {"GITHUB_API_URL": "https://github.example.org/api/v3"}, False),
        (None, {}, False),
    ],
)
def test_a_missing_token_that_gh_has_is_hinted_at_in_one_line(
    tmp_path: Path, script: str | None, environment: dict[str, str], *, hinted: bool
) -> None:
    """The command gh must be installed and signed in; its token is not shown, and another GitHub has another one."""
    if script is not None:
        gh = tmp_path / "gh"
        gh.write_text(f"#!/bin/sh\n{script}\n")
        gh.chmod(0o755)
    shown = with_token_hint(answer(warnings=["other", NO_TOKEN]), {"PATH": f"{tmp_path}", **environment})
    hint = f"{NO_TOKEN} GITHUB_TOKEN=$(gh auth token) uses the token of gh."
    assert shown.warnings == ("other", hint if hinted else NO_TOKEN)
