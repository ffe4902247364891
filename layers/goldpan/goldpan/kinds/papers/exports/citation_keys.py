"""Citation keys of papers: family name of the first author, year, and first word of the title, in ASCII."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from goldpan.kinds.papers.person_names import split_name
from goldpan.kinds.papers.results import RankedPaper
from goldpan.text import STOP_WORDS

DIGEST_CHARS = 8
MAX_PART_CHARS = 30
_NOT_DECOMPOSED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ß": "ss", "æ": "ae", "Æ": "AE", "\u0131": "i"}
)


def citation_keys(papers: Sequence[RankedPaper]) -> list[str]:
    """Make a key for each paper; a shared or empty one ends with a digest of the paper's id.

    So the key of a paper does not depend on the order of the papers. Papers that share even their id are counted.
    """
    bases = [_base(item) for item in papers]
    shared = Counter(base.lower() for base, _ in bases)
    taken, keys = Counter[str](), list[str]()
    for item, (base, is_named) in zip(papers, bases, strict=True):
        key = base if is_named and shared[base.lower()] == 1 else f"{base}-{_digest(item)}"
        taken[key] += 1
        keys.append(key if taken[key] == 1 else f"{key}-{taken[key]}")
    return keys


def _base(item: RankedPaper) -> tuple[str, bool]:
    """Return the key without a digest, and whether author or title have ASCII letters."""
    family = _ascii(split_name(item.authors[0]).sorting) if item.authors else ""
    words = [_ascii(word) for word in item.title.split()]
    word = next((word for word in words if word and word.lower() not in STOP_WORDS), "")
    return f"{family or 'Anon'}{item.year or 'nd'}{word[:1].upper()}{word[1:]}", bool(family or word)


def _ascii(text: str) -> str:
    """Keep ASCII letters and digits, without accents; "" for other scripts."""
    plain = unicodedata.normalize("NFKD", text.translate(_NOT_DECOMPOSED))
    return re.sub(r"[^A-Za-z0-9]", "", plain)[:MAX_PART_CHARS]


def _digest(item: RankedPaper) -> str:
    return sha256(item.id.encode()).hexdigest()[:DIGEST_CHARS]
