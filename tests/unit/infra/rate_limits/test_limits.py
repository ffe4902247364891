"""Limits are found by key; a key reveals no credential; warm-ups have a share of each limit."""

from __future__ import annotations

from goldpan.infra.rate_limits.limits import Limit, limits_for, rate_limit_key, with_warm_up_limits

LIMITS = {"github:rest:token": (Limit(60, 30),), "github:graphql:token": (Limit(3600, 5000), Limit(60, 2000))}


def test_limits_are_found_by_the_beginning_of_a_key() -> None:
    """A key has the limits of its first words, not of its first letters."""
    key = rate_limit_key("github:graphql", "https://api.github.com", "good-token")
    assert limits_for(key, LIMITS) == (Limit(3600, 5000), Limit(60, 2000))
    assert limits_for("github:rest:token", LIMITS) == (Limit(60, 30),)
    assert limits_for("github:rest:token-of-another", LIMITS) == ()
    assert limits_for("other:graphql:token", LIMITS) == ()


def test_a_key_distinguishes_credentials_without_revealing_them() -> None:
    """Two tokens have two keys, and so has one token at two addresses; no key contains a token or an address."""
    accesses = [(address, token) for address in ("https://a", "https://b") for token in ("good-token", "other", None)]
    keys = [rate_limit_key("github:graphql", address, token) for address, token in accesses]
    assert len(set(keys)) == 6
    assert not any("good-token" in key or "other" in key or "https" in key for key in keys)
    assert [key.split(":")[2] for key in keys] == ["token", "token", "anonymous"] * 2


def test_warm_ups_have_a_share_of_every_limit() -> None:
    """A share is rounded down, for every window, and the limits themselves stay as they are."""
    limits = with_warm_up_limits(LIMITS, 0.25)
    assert limits == {
        **LIMITS,
        "warm-up:github:rest:token": (Limit(60, 7),),
        "warm-up:github:graphql:token": (Limit(3600, 1250), Limit(60, 500)),
    }
