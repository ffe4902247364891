"""Runs mapping templates on Apache Velocity itself: one process of `Render.java` renders all cases."""

import atexit
import json
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

JARS = [
    Path("/usr/share/java") / f"{name}.jar" for name in ("velocity", "commons-lang", "commons-collections3", "gson")
]
IS_INSTALLED = shutil.which("java") is not None and all(jar.exists() for jar in JARS)
"""By apt-get: velocity, libgoogle-gson-java and default-jre-headless."""
LOCK = Lock()
"""Of the process: the states of a simulated machine render in threads."""


def render(template: str, body: str, context: Mapping[str, Any], **more: Any) -> tuple[str, dict[str, Any]]:
    """Run a template as `velocity.render` does; `more` are the variables `params` and `stageVariables`."""
    request = {"template": template, "body": body, "context": dict(context), **more}
    with LOCK:
        java = _java()
        assert java.stdin
        assert java.stdout
        java.stdin.write(f"{json.dumps(request)}\n")
        java.stdin.flush()
        response = json.loads(java.stdout.readline())
    assert "error" not in response, response["error"]
    return response["text"], response["overrides"]


@cache
def _java() -> subprocess.Popen[str]:
    """Start the process, which ends with this one."""
    source = Path(__file__).with_name("Render.java")
    command = ["java", "-XX:TieredStopAtLevel=1", "-Xmx96m", "-cp", ":".join(map(str, JARS)), str(source)]
    java = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    atexit.register(java.communicate)
    return java
