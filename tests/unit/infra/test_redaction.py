"""No secret is quoted, in whatever form an upstream repeats it."""

import base64
import json
from urllib.parse import quote

import pytest
from goldpan.infra.redaction import redact, redact_answer, register_address, register_secret

SECRET, PASSWORD = 'good"key/1 2?>~', "pa$$ w"
LONGER = f"{SECRET}-and-more"
BASIC = base64.b64encode(f"me:{PASSWORD}".encode()).decode()


@pytest.mark.parametrize(
    "repeated",
    [
        SECRET,
        quote(SECRET, safe=""),
        json.dumps({"key": SECRET}),
        json.dumps({"key": SECRET}).replace("/", "\\/"),
        SECRET.encode().hex().upper(),
        *(base64.b64encode(b"x" * before + SECRET.encode() + b"y").decode() for before in range(3)),
        *(base64.urlsafe_b64encode(b"x" * before + SECRET.encode()).decode() for before in range(3)),
        LONGER,
        "sk-of-goldpan/and-more",
        f"Basic {BASIC}",
        f"https://me:{quote(PASSWORD)}@llm.example/v1 refused it",
        # secrets of others, by their form
        "Incorrect API key provided: sk-abc***xyz.",
        "Authorization: Bearer AbC-123_x.y",
        "token ghp_0123456789abcdef",
        "github_pat_11AA_22",
        "proxy http://proxy-user:proxy-word@10.0.0.1:8080 failed",
    ],
)
def test_a_repeated_secret_is_replaced(repeated: str) -> None:
    """Plain, percent-encoded, in JSON, in a header or in an address."""
    for secret in (SECRET, LONGER, "sk-of-goldpan/and-more"):
        register_secret(secret)
    register_address(f"https://me:{quote(PASSWORD)}@llm.example/v1")
    shown = redact(f"It said {repeated} again")
    assert "[key]" in shown
    secrets = (SECRET, PASSWORD, BASIC, quote(PASSWORD), json.dumps(SECRET)[1:-1], quote(SECRET, safe=""))
    parts = (*secrets, "abc***", "AbC-1", "0123", "11AA", "proxy-word", "and-more", SECRET[2:].encode().hex().upper())
    middles = [base64.b64encode(b"x" * before + SECRET.encode())[4:12].decode() for before in range(3)]
    assert not [part for part in (*parts, *middles) if part in shown]


def test_other_words_stay() -> None:
    """A short secret, such as the placeholder of a local server, is replaced as a word only; an empty one never."""
    register_secret("ollamas")
    register_secret(" ")
    register_address("https://llm.example/v1")
    register_secret("8-letter")
    assert redact_answer("sk-learn, ollamas and x8-letterx") == "sk-learn, ollamas and x[key]x"
    assert redact("ollamaster says: ollamas, ollamas2 not found") == "ollamaster says: [key], ollamas2 not found"
