"""Beyond the daily limit of the template the flow does not ask the language model: rules answer, and say so."""

from typing import Any

import pytest
from goldpan.infra.llm.spending import LimitedModel

from tests.e2e.cached_stack import BUDGET, CachedStack
from tests.support.search_fakes import Fakes, FakeSource, JudgingModel, repositories

LIMIT = "the day's limit of 5 US dollars for the language model is reached"


def _limited(stack: CachedStack, counted: list[str]) -> Fakes:
    fakes = stack.fakes(sources={"github": FakeSource(repositories(3))})
    assert fakes.stores
    assert fakes.stores.spending
    fakes.llm = LimitedModel(JudgingModel(), fakes.stores.spending, counted.append)
    return fakes


@pytest.mark.parametrize("prices", [{}, {"deepseek-flash": {"input": 0, "output": 0}}])
def test_beyond_the_limit_rules_answer_with_a_warning(cached_stack: CachedStack, prices: dict[str, Any]) -> None:
    """All candidates are found and ordered; prices that a request sets do not move the limit."""
    counted: list[str] = []
    fakes = _limited(cached_stack, counted)
    day = {"S": f"spending#{fakes.clock.now():%Y-%m-%d}"}
    cached_stack.client.put_item(TableName=BUDGET, Item={"pk": day, "spent": {"N": "5000000"}})
    answer = cached_stack.search(fakes, config={"llm_prices": prices}).answer
    assert {result.basis for section in answer.sections.values() for result in section.results} == {"rules"}
    assert answer.repositories
    assert len(answer.repositories.results) == 3
    assert (
        f"The language model did not translate the question ({LIMIT}); it was translated by rules." in answer.warnings
    )
    assert "3 of 3 repositories were ordered by rules: the language model did not judge them." in answer.warnings
    assert [error.error for error in answer.errors] == [LIMIT]
    assert (answer.usage.llm_calls, counted) == (0, ["LlmStopped"] * 4)
