"""How a catalogue stores a repository: columns for what is searched by, and compressed JSON for the other facts."""

import zlib
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b

from goldpan.kinds.repositories.models import Repository

WINDOW_BITS = -15
"""Raw deflate: a header and a checksum would take six bytes of each."""
BEST = 9
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DICTIONARY = (
    b'"watchers":0,"contributors":0,"releases":0,"closed_issues":0,"merged_pull_requests":0,"curator_text":"","note":"'
    b'","note_by":"","latest_release_name":"v1.0.0","latest_release_at":"2026-0,"url":"https://github.com/"archived":true'
    b',"license":"NOASSERTION","archived":false,"fork":false,"observed":{"latest_release_at":"2026-08-22"},"open_issues":0'
    b'}{"full_name":"","description":"A simple and fast library for  written in  that the a framework of","homepage":"'
    b'https://www..github.io/.org/.dev/.com/","forks":1,"topics":["machine-learning","javascript","typescript","react","'
    b'python"],"archived":false,"fork":false,"license":"GPL-3.0","observed":{"stars":"2026-11-23","pushed_at":"2026-11-23'
    b'"}}"],"archived":false,"fork":false,"license":"Apache-2.0","observed":{"stars":"2026-1"],"archived":false,"fork":'
    b'false,"license":"MIT","observed":{"stars":"2026-1'
)
"""Part of the format of a catalogue: text that a compressed one refers to. The most frequent stands last."""


COLUMNS = "r.facts, r.language, r.stars, r.pushed_at, r.created_at"
Columns = tuple[bytes, str | None, int | None, int | None, int | None]
"""The facts, and those in columns of their own; times are seconds since 1970."""
IN_COLUMNS = {"language", "stars", "pushed_at", "created_at"}
GITHUB = "https://github.com/"


def pack(repository: Repository) -> Columns:
    """Return the columns of a repository; of short texts the dictionary saves half."""
    derived = {"url"} if repository.url == f"{GITHUB}{repository.full_name}" else set[str]()
    packing = zlib.compressobj(BEST, wbits=WINDOW_BITS, zdict=DICTIONARY)
    facts = repository.model_dump_json(exclude_defaults=True, exclude=IN_COLUMNS | derived)
    packed = packing.compress(facts.encode()) + packing.flush()
    moments = (repository.pushed_at, repository.created_at)
    pushed, created = (int(moment.timestamp()) if moment else None for moment in moments)
    return packed, repository.language, repository.stars, pushed, created


@lru_cache(maxsize=512)  # the searches of a question find much the same
def unpack(
    facts: bytes, language: str | None, stars: int | None, pushed: int | None, created: int | None
) -> Repository:
    """Return the repository of these columns."""
    repository = Repository.model_validate_json(zlib.decompressobj(WINDOW_BITS, DICTIONARY).decompress(facts))
    pushed_at, created_at = (None if time is None else EPOCH + timedelta(seconds=time) for time in (pushed, created))
    found = {"language": language, "stars": stars, "pushed_at": pushed_at, "created_at": created_at}
    return repository.model_copy(update=found | ({} if repository.url else {"url": f"{GITHUB}{repository.full_name}"}))


def name_key(full_name: str) -> int:
    """Return the number under which a name is stored, whatever its case: 64 bits of a digest, which no two share."""
    return int.from_bytes(blake2b(full_name.lower().encode(), digest_size=8).digest(), signed=True)
