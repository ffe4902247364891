"""Budgets in DynamoDB: one request a take, none for a refusal, items that stay small."""

from __future__ import annotations

from datetime import timedelta

from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter
from goldpan.infra.rate_limits.limits import rate_limit_key

from tests.integration.crowd import TABLE
from tests.integration.dynamodb.watched import Watched
from tests.support.fakes import START, FakeClock

TOKEN = rate_limit_key("github:graphql", "https://api.github.com", "good-token")
ANONYMOUS = rate_limit_key("github:rest-search", "https://api.github.com", None)


def test_a_take_is_one_request(client: Watched, clock: FakeClock) -> None:
    """After the first take of a function each one is a single conditional update, also when parts are forgotten."""
    budget = DynamoDBRateLimiter(client, TABLE, clock)
    for _ in range(30):
        assert budget.take(TOKEN).taken
        clock.wait(11)
    assert client.asked == ["get_item"] + ["update_item"] * 30
    parts = [name for name in client.item(f"budget#{TOKEN}") if name.startswith("60s/")]
    assert len(parts) <= 8


def test_a_refusal_costs_nothing(client: Watched, clock: FakeClock) -> None:
    """A function that knows the budget to be spent does not ask again before there is room."""
    budget = DynamoDBRateLimiter(client, TABLE, clock)
    assert budget.take(ANONYMOUS, 10).taken
    client.asked.clear()
    assert not any(budget.take(ANONYMOUS).taken for _ in range(20))
    budget.learn(ANONYMOUS, 0, START + timedelta(seconds=9))
    assert client.asked == []


def test_what_is_remembered_allows_nothing(client: Watched, clock: FakeClock) -> None:
    """A function whose memory is old is refused by the table, and then knows."""
    one, other = (DynamoDBRateLimiter(client, TABLE, clock) for _ in range(2))
    assert one.take(ANONYMOUS).taken
    assert other.take(ANONYMOUS, 9).taken
    client.asked.clear()
    assert not one.take(ANONYMOUS).taken
    assert client.asked == ["update_item"]


def test_an_item_that_dynamodb_deleted_is_begun_anew(client: Watched, clock: FakeClock) -> None:
    """An item whose time to live is over may vanish; the next take makes it again."""
    budget = DynamoDBRateLimiter(client, TABLE, clock)
    assert budget.take(ANONYMOUS, 10).taken
    ttl = int(client.item(f"budget#{ANONYMOUS}")["ttl"]["N"])
    assert 3600 < ttl - START.timestamp() < 3 * 3600
    client.delete_item(TableName=TABLE, Key={"pk": {"S": f"budget#{ANONYMOUS}"}})
    clock.wait(ttl - START.timestamp())
    assert budget.take(ANONYMOUS, 10).taken
    assert not budget.take(ANONYMOUS).taken


def test_the_longest_expressions_fit(client: Watched, clock: FakeClock) -> None:
    """After an hour and a minute full of takes all parts are forgotten in one update that DynamoDB accepts."""
    budget = DynamoDBRateLimiter(client, TABLE, clock)
    for _ in range(40):
        assert budget.take(TOKEN).taken
        clock.wait(110)
    for _ in range(40):
        assert budget.take(TOKEN).taken
        clock.wait(1.9)
    clock.wait(2 * 3600)
    assert budget.take(TOKEN).taken
    asked = client.sent[-1]
    assert len(asked["ExpressionAttributeValues"]) > 60
    for expression in ("UpdateExpression", "ConditionExpression"):
        assert len(asked[expression]) < 4096
    assert sum(asked["ConditionExpression"].count(f" {operator} ") for operator in ("=", "<=", "AND", "OR")) < 300
