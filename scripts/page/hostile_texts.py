"""Texts of others that a page has to show: very long, right to left, with markup, with characters of no width."""

from typing import Any

from tests.support.loopback.sample_repositories import sample_repositories

MARKUP = "<img src=x onerror=\"document.title='taken'\"> <b>zeppelin</b>"
RIGHT_TO_LEFT = "مكتبة zeppelin للرسوم المتحركة"
NO_WIDTH = "zero\u200bwidth \u202etfel-ot-thgir\u202c zeppelin 👩‍👩‍👧‍👦 Z\u0351\u036b\u0343a\u0328\u035e\u0489"
TEXTS = (f"Zeppelin {'y' * 200}", RIGHT_TO_LEFT, MARKUP, NO_WIDTH, "一个用于齐柏林飞艇的库 zeppelin " * 12)
AUTHORS = [f"{'Very' * number}long-Author, {RIGHT_TO_LEFT}" for number in range(40)]


def hostile_repositories() -> list[dict[str, Any]]:
    """Return a repository of each text, in a language of the same text."""
    facts = sample_repositories()[0] | {"topics": []}
    return [
        facts | {"full_name": f"o/zeppelin-{place}{'x' * 80 * (not place)}", "description": text, "language": text[:40]}
        for place, text in enumerate(TEXTS)
    ]


def hostile_papers() -> list[dict[str, Any]]:
    """Return a paper of each text, with many authors."""
    facts = {"authors": AUTHORS, "citations": 10**7, "year": 2020}
    return [facts | {"title": text, "abstract": f"{text}. {text} flies.", "venue": text[:90]} for text in TEXTS]
