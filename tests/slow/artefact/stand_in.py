"""A function that does whatever it is asked, built by hand: for tests of the runner itself."""

from __future__ import annotations

from pathlib import Path

from tests.support.loopback.lambda_template import BuiltFunction, built_functions

TEMPLATE = """
Parameters:
  Address: {Type: String, Default: "https://api.example.org"}
Globals:
  Function:
    Handler: app.handler
    MemorySize: 256
    Layers: [{Ref: Layer}]
    LoggingConfig: {LogFormat: JSON}
    Environment: {Variables: {COMMON: "yes"}}
Resources:
  Layer: {Type: "AWS::Serverless::LayerVersion", Properties: {ContentUri: Layer}}
  StandInFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: StandInFunction
      Timeout: 2
      Environment: {Variables: {ADDRESS: !Sub "${Address}/v1"}}
"""
DOOR = '''
import os, sys, time
from snapshot_restore_py import register_after_restore, register_before_snapshot
from layered import HOOKS

register_before_snapshot(HOOKS.append, "before")
register_after_restore(HOOKS.append, "after")
if os.environ.get("BROKEN"):
    raise ValueError("broken at import")


class Odd(Exception):
    """Raised when asked for."""


def handler(event, context):
    print("asked")
    match event:
        case {"raise": message}:
            raise Odd(message)
        case {"exit": code}:
            os._exit(code)
        case {"sleep": seconds}:
            time.sleep(seconds)
        case {"bytes": size}:
            return "x" * (size - 2)
    left, path = context.get_remaining_time_in_millis(), [entry for entry in sys.path if "site-packages" in entry]
    return {"event": event, "hooks": HOOKS, "left": left, "path": path, "environment": dict(os.environ)}
'''


def build_stand_in(folder: Path) -> BuiltFunction:
    """Lay the function, its layer and its template into a folder, as a build does."""
    (folder / "template.yaml").write_text(TEMPLATE)
    for file, text in {"StandInFunction/app.py": DOOR, "Layer/python/layered.py": "HOOKS = []\n"}.items():
        (folder / file).parent.mkdir(parents=True)
        (folder / file).write_text(text)
    return built_functions(folder)["stand_in"]
