"""Text of any script in the form in which a library is indexed and searched: lower case, no accents, words apart.

Scripts written without spaces become overlapping pairs of characters, so that a part of a text is found. C++, C#, F#
and .NET become words of letters. The index's own tokenizer splits what is left at all but letters and digits.
"""

import re

from goldpan import text
from goldpan.kinds.papers import letters

MARKS = text.MARKS + r"\u3099\u309a"
"""Those of all texts, and the voicing marks of Japanese."""
UNSPACED = (
    r"\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    r"\U00020000-\U0003ffff"
)
"""Japanese, Chinese, Korean, Thai, Lao, Burmese and Khmer."""
_PLUS, _SHARP = re.compile(r"\b([cg])\+\+"), re.compile(r"\b([cfjq])#")
_NET, _POSSESSIVE = re.compile(r"(?:(?<!\w)|(?<=\basp))\.net\b"), re.compile(r"['\u2019](?<=\w['\u2019])s\b")
_RUN = re.compile(f"[{UNSPACED}]+")
_WORD = re.compile(f"[^\\W_](?:[^\\W_]|[{MARKS}])*")
_ASCII_WORD = re.compile("[a-z0-9]+")


def fold(text: str) -> str:
    """Return a text as its words in lower case; an ASCII text keeps its punctuation, which separates words too."""
    text = letters.fold(text)
    # A single character is looked for ten times as fast as two, and the patterns take ten times as long again.
    if ("'" in text and "'s" in text) or "\u2019s" in text:
        text = _POSSESSIVE.sub("", text)
    if ".net" in text:
        text = _NET.sub(" dotnet", text)
    if "+" in text and "++" in text:
        text = _PLUS.sub(r"\1plusplus", text)
    folded = _SHARP.sub(r"\1sharp", text) if "#" in text else text
    return folded if folded.isascii() else " ".join(_WORD.findall(_RUN.sub(_pairs, folded)))


def tokens(text: str) -> list[str]:
    """List the words of a text, and pairs of characters where a script has no spaces, in order and not stemmed."""
    if text.isalnum() and text.isascii():
        return [text.lower()]
    folded = fold(text)
    return _ASCII_WORD.findall(folded) if folded.isascii() else folded.split()


def is_unspaced(text: str) -> bool:
    """Return whether a folded token belongs to a script that is written without spaces."""
    return _RUN.match(text) is not None


def _pairs(match: re.Match[str]) -> str:
    """Write a run as its pairs of characters and its last character, so that each of its characters begins a token."""
    run = match[0]
    return f" {' '.join(run[at : at + 2] for at in range(len(run)))} "
