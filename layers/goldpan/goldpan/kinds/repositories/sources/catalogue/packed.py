"""How a catalogue stores the facts of a repository: JSON, compressed with a dictionary of what most of them share."""

from __future__ import annotations

import zlib
from hashlib import blake2b

from goldpan.kinds.repositories.models import Repository

WINDOW_BITS = -15
"""Raw deflate: a header and a checksum would take six bytes of each."""
BEST = 9
DICTIONARY = (
    b'"watchers":0,"contributors":0,"releases":0,"closed_issues":0,"merged_pull_requests":0,"curator_text":"","note":"'
    b'","note_by":"","latest_release_name":"v1.0.0","latest_release_at":"2026-0,"homepage":"https://www..github.io/.org'
    b'/.dev/.com/","language":"HTML","language":"Shell","language":"PHP","language":"Ruby","language":"C","language":"'
    b'C++","language":"C#","language":"Swift","language":"Kotlin","language":"Java","language":"Rust","language":"Go","'
    b'language":"TypeScript","language":"JavaScript","language":"Python","topics":["machine-learning","javascript","'
    b'typescript","react","python"],"pushed_at":"2026-1","created_at":"201","archived":true,"fork":false,"license":"'
    b'GPL-3.0","license":"NOASSERTION","license":"Apache-2.0","license":"MIT","archived":false,"fork":false,"observed":'
    b'{"stars":"2026-1","pushed_at":"2026-1"},"open_issues":0}{"full_name":"","description":"A simple and fast library '
    b'for  written in  that the a framework of","url":"https://github.com/","stars":,"forks":'
)
"""Part of the format of a catalogue: text that a compressed one refers to. The most frequent stands last."""


def pack(repository: Repository) -> bytes:
    """Compress what is known of a repository; of short texts the dictionary saves half."""
    packing = zlib.compressobj(BEST, wbits=WINDOW_BITS, zdict=DICTIONARY)
    return packing.compress(repository.model_dump_json(exclude_defaults=True).encode()) + packing.flush()


def unpack(content: bytes) -> Repository:
    """Return the repository that was compressed."""
    return Repository.model_validate_json(zlib.decompressobj(WINDOW_BITS, DICTIONARY).decompress(content))


def name_key(full_name: str) -> int:
    """Return the number under which a name is stored, whatever its case: 64 bits of a digest, which no two share."""
    return int.from_bytes(blake2b(full_name.lower().encode(), digest_size=8).digest(), signed=True)
