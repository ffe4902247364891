"""Keys open the search where they are set."""

from __future__ import annotations

import pytest
from goldpan.errors import Misconfigured
from goldpan_local.serve.settings import Keys, ServerSettings

from tests.unit.local.conftest import Run
from tests.unit.local.serving import QUESTION, problem_of, serving


@pytest.mark.parametrize("given", ["first", "second"])
def test_each_key_opens(given: str) -> None:
    """Any of the keys is taken, with or without blanks around it in the setting."""
    response = serving(keys=" first, second ,").post("/search", json=QUESTION, headers={"x-api-key": given})
    assert response.status_code == 200


@pytest.mark.parametrize("given", [None, "", "firs", "first ,second", "FIRST", "first,second", "x" * 5000, "\xfcber"])
def test_any_other_key_is_refused(given: str | None) -> None:
    """A missing or wrong key is a problem that tells nothing of the right one."""
    headers = {} if given is None else {b"x-api-key": given.encode("latin-1")}
    response = serving(keys="first,,second,").post("/search", json=QUESTION, headers=headers)
    assert response.status_code == 403
    details = problem_of(response)
    assert details["type"] == "urn:goldpan:problem:forbidden"
    assert details["detail"] == "The x-api-key header holds no key of this API."


def test_a_refused_caller_learns_nothing_of_its_request() -> None:
    """Without a key a wrong body is not looked at."""
    assert serving(keys="k").post("/search", content=b"{", headers={"content-type": "x"}).status_code == 403


def test_without_the_setting_the_search_is_open() -> None:
    """No key is asked for where none is set; one that is sent all the same does no harm."""
    assert serving().post("/search", json=QUESTION, headers={"x-api-key": "any"}).status_code == 200


def test_keys_are_compared_with_all_in_equal_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every comparison is one of digests of equal length, and none is left out after a match."""
    seen = list[tuple[bytes, bytes]]()

    def compare(given: bytes, known: bytes) -> bool:
        seen.append((given, known))
        return given == known

    monkeypatch.setattr("goldpan_local.serve.settings.compare_digest", compare)
    assert Keys(["a", "b" * 100, "c"]).hold("a")
    assert len(seen) == 3
    assert {len(digest) for pair in seen for digest in pair} == {32}


@pytest.mark.parametrize("setting", [",", " , ,", "k\u00e4y"])
def test_a_setting_without_a_key_is_no_open_door(run: Run, setting: str) -> None:
    """A setting that was meant to ask for keys and holds none stops the server before it listens, by name."""
    with pytest.raises(Misconfigured, match="GOLDPAN_API_KEYS"):
        ServerSettings.from_environment({"GOLDPAN_API_KEYS": setting}).keys()
    result = run("serve", env={"GOLDPAN_API_KEYS": setting})
    assert result.exit_code == 2
    assert result.stderr.startswith("goldpan: GOLDPAN_API_KEYS")
    assert setting not in result.stderr or setting == ","


def test_keys_do_not_show() -> None:
    """Neither the settings nor what is made of them write a key."""
    settings = ServerSettings.from_environment({"GOLDPAN_API_KEYS": "secret-key"})
    assert "secret-key" not in repr(settings) + str(vars(settings.keys()))
