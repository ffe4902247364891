"""What the environment sets for the server: the keys that open it."""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest

from goldpan.errors import Misconfigured
from goldpan.infra.settings import Secret, Settings


class ServerSettings(Settings):
    """The keys that a caller may have, with commas between; without any the server is open to whoever reaches it."""

    goldpan_api_keys: Secret | None = None

    def keys(self) -> Keys | None:
        """Read the keys; None where none is asked for. Raises `Misconfigured` where the variable holds no key."""
        if self.goldpan_api_keys is None:
            return None
        given = [key.strip() for key in self.goldpan_api_keys.get_secret_value().split(",")]
        if not any(given):
            message = "GOLDPAN_API_KEYS holds no key: unset it to leave the server open, or put keys between the commas"
            raise Misconfigured(message)
        return Keys([key for key in given if key])


class Keys:
    """Keys that are compared in a time that tells nothing: as digests, each with all."""

    def __init__(self, keys: list[str]) -> None:
        self._digests = [_digest(key) for key in keys]

    def hold(self, given: str | None) -> bool:
        """Whether a key is one of them."""
        digest = _digest(given or "")
        return sum(compare_digest(digest, known) for known in self._digests) > 0  # a sum leaves no comparison out


def _digest(key: str) -> bytes:
    return sha256(key.encode()).digest()
