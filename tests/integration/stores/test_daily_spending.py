"""What the language model may cost in a day: calls that could exceed the limit are not made, however many begin."""

from collections.abc import Callable

import pytest
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CredentialRejected
from goldpan.infra.dynamodb_table import DynamoDBTable
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt
from goldpan.infra.llm.spending import LimitedModel
from goldpan.infra.table import Change, read_integer

from tests.support.fakes import FakeClock

PROMPT = Prompt(system="s" * 500, user="ü" * 250, max_tokens=100, attempts=2)
MOST = 5220
"""Millionths of a dollar that a call can cost: 1,000 bytes at 0.30, and 100 + 4,000 for thinking at 1.20 a million."""
LIMIT = 50_000
MADE = Usage(llm_calls=1, input_tokens=200, output_tokens=2000)
COST = 2460


class Model:
    """Raises the given failure, else answers; counts its calls."""

    def __init__(self, name: str = "deepseek-flash", failure: Exception | None = None) -> None:
        self.name, self.failure, self.calls = name, failure, 0
        self.during_call: Callable[[], None] | None = None

    def complete(self, _prompt: Prompt, _deadline: Deadline) -> Completion:
        """Answer, or fail."""
        self.calls += 1
        if self.during_call:
            self.during_call()
        if self.failure:
            raise self.failure
        return Completion({}, MADE)


def _spent(table: DynamoDBTable, clock: FakeClock) -> int:
    return read_integer(table.get(f"spending#{clock.now():%Y-%m-%d}"), "spent")


def _limited(
    table: DynamoDBTable, clock: FakeClock, model: Model, dollars: float, counted: list[str] | None = None
) -> LimitedModel:
    count = ([] if counted is None else counted).append
    return LimitedModel(model, table, clock, count).with_limit(dollars)


def _ask(model: LimitedModel, clock: FakeClock) -> None:
    model.complete(PROMPT, Deadline.after(5, clock))


def test_the_limit_holds_for_calls_that_begin_at_once(table: DynamoDBTable, clock: FakeClock) -> None:
    """Calls that have not ended count as what they can cost, others as what they did; each day has its own limit."""
    model, counted = Model(), list[str]()
    limited = _limited(table, clock, model, 0.05, counted)
    model.during_call = lambda: _ask(limited, clock)
    with pytest.raises(LanguageModelFailed, match="too many calls of the language model were under way"):
        _ask(limited, clock)
    assert (model.calls, counted, sum(clock.waits)) == (LIMIT // MOST, [], 2.5), "half of the time is left for a call"
    model.during_call = None
    for _ in range((LIMIT - _spent(table, clock) - MOST) // COST + 1):
        _ask(limited, clock)
    for _ in range(2):
        with pytest.raises(LanguageModelFailed, match=r"the day's limit of 0\.05 US dollars for the language model"):
            _ask(limited, clock)
    assert counted == ["LlmStopped"] * 2
    assert LIMIT - MOST < _spent(table, clock) <= LIMIT
    with pytest.raises(LanguageModelFailed):
        _ask(_limited(table, clock, model, 0.0001), clock)
    clock.wait(86_400)
    _ask(limited, clock)


def test_a_call_waits_until_others_leave_room(table: DynamoDBTable, clock: FakeClock) -> None:
    """What these reserve is not spent, and no call reserves anything for a further attempt."""
    model, pk = Model(), f"spending#{clock.now():%Y-%m-%d}"
    table.update(pk, Change({}, {"spent": MOST, "reserved": MOST}))

    def end_the_other_call() -> None:
        table.update(pk, Change({}, {"spent": -MOST, "reserved": -MOST}))

    clock.on_wait = end_the_other_call
    _ask(_limited(table, clock, model, 1.9 * MOST / 1_000_000), clock)
    assert (model.calls, _spent(table, clock), len(clock.waits)) == (1, COST, 1)
    failure = LanguageModelFailed("refused", Usage(llm_calls=1))
    failure.can_be_avoided = True
    with pytest.raises(LanguageModelFailed, match="refused"):
        _ask(_limited(table, clock, Model(failure=failure), 1), clock)
    assert (_spent(table, clock), failure.usage.llm_calls) == (COST + 2 * MOST, 2)


@pytest.mark.parametrize(
    ("failure", "spent"),
    [
        (LanguageModelFailed("blank", MADE), COST),
        (LanguageModelFailed("late", Usage(llm_calls=1)), MOST),
        (LanguageModelFailed("no time", Usage()), 0),
        (CredentialRejected("the key"), 0),
    ],
)
def test_a_failed_call_counts_what_it_may_have_cost(
    table: DynamoDBTable, clock: FakeClock, failure: Exception, spent: int
) -> None:
    """Its tokens if the provider reported them, the most it can cost if not, and nothing if it was never made."""
    counted = list[str]()
    with pytest.raises(type(failure)):
        _ask(_limited(table, clock, Model(failure=failure), 1, counted), clock)
    assert _spent(table, clock) == spent
    assert counted == ([] if str(failure) == "no time" else ["LlmFailed"])


def test_an_unknown_price_is_limited_and_a_cost_that_cannot_be_counted_not_incurred(
    table: DynamoDBTable, clock: FakeClock
) -> None:
    """It is taken to cost more than any known one; once the table fails, no model is asked, with the reason."""
    _ask(_limited(table, clock, Model("of-my-own"), 1), clock)
    assert _spent(table, clock) == 200 * 5 + 2000 * 20
    model = Model(failure=(refused := LanguageModelFailed("refused", Usage(llm_calls=1))))
    refused.can_be_avoided = True
    model.during_call = lambda: table.put_many({f"spending#{clock.now():%Y-%m-%d}": {"spent": "much"}})
    with pytest.raises(LanguageModelFailed, match="what the language model cost today cannot be counted") as failed:
        _ask(_limited(table, clock, model, 1), clock)
    assert (failed.value.usage.llm_calls, model.calls) == (1, 1), "the first attempt is counted"
