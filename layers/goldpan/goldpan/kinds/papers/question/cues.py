"""The patterns of what questions for papers name (cues.toml)."""

from functools import partial
from pathlib import Path

from goldpan.question.grammar import matches, pattern, patterns

_FILE = Path(__file__).with_name("cues.toml")
cue = partial(pattern, file=_FILE)
cues = partial(patterns, file=_FILE)
find_cues = partial(matches, file=_FILE)
