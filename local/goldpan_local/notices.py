"""Extends the notice that no GitHub token is set by a hint for users of `gh`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping

from goldpan.kinds.answer import Answer

TOKEN_HINT = "GITHUB_TOKEN=$(gh auth token) uses the token of gh."  # noqa: S105 - a command, not a secret
GH_SECONDS = 2.0


def with_token_hint(answer: Answer, environment: Mapping[str, str]) -> Answer:
    """Add to the notice how to set the token, if `gh` is signed in to github.com; the token itself is not read."""
    if not any(row.source == "github" for row in answer.sources):
        return answer
    from goldpan.kinds.repositories.sources.github.source import NO_TOKEN  # noqa: PLC0415 - loads its client

    if NO_TOKEN not in answer.warnings or "GITHUB_API_URL" in environment or not _gh_has_token(environment):
        return answer
    warnings = tuple(f"{warning} {TOKEN_HINT}" if warning == NO_TOKEN else warning for warning in answer.warnings)
    return answer.model_copy(update={"warnings": warnings})


def _gh_has_token(environment: Mapping[str, str]) -> bool:
    """Report whether `gh auth token` succeeds; without gh, or if it takes too long, there is no hint."""
    program = shutil.which("gh", path=environment.get("PATH"))
    if program is None:
        return False
    none = subprocess.DEVNULL
    try:
        run = subprocess.run(  # noqa: S603 - found in the user's PATH
            [program, "auth", "token"],
            env=dict(environment), stdin=none, stdout=none, stderr=none, timeout=GH_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0
