"""Limits are found by key; a key reveals no credential."""

from __future__ import annotations

from goldpan.infra.rate_limits.limits import Limit, limits_for, rate_limit_key

LIMITS = {"github:rest:token": (Limit(60, 30),), "github:graphql:token": (Limit(3600, 5000), Limit(60, 2000))}


def test_limits_are_found_by_the_beginning_of_a_key() -> None:
    """A key has the limits of its first words, not of its first letters."""
    key = rate_limit_key("github:graphql", "https://api.github.com", "good-token")
    assert limits_for(key, LIMITS) == (Limit(3600, 5000), Limit(60, 2000))
    assert limits_for("github:rest:token", LIMITS) == (Limit(60, 30),)
    assert limits_for("github:rest:token-of-another", LIMITS) == limits_for("other:rest:token", LIMITS) == ()


def test_a_key_distinguishes_credentials_without_revealing_them() -> None:
    """Two tokens have two keys, and so has one token at two addresses; no key contains a token or an address."""
    accesses = [(address, token) for address in ("https://a", "https://b") for token in ("good-token", "other", None)]
    keys = [rate_limit_key("github:graphql", address, token) for address, token in accesses]
    assert len(set(keys)) == 6
    assert not any("good-token" in key or "other" in key or "https" in key for key in keys)
    assert [key.split(":")[2] for key in keys] == ["token", "token", "anonymous"] * 2
