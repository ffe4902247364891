"""The asynchronous entry points: the answers of the synchronous ones, and a search ends when no one waits for it."""

import asyncio
from contextlib import closing

import goldpan
import pytest
from goldpan.errors import InvalidRequest, SourcesFailed, Unavailable

from tests.support.factories import ListedSource
from tests.support.local import PATIENCE, QUESTION, BlockingSource, github_runtime, timeless, wait_for

REQUEST = goldpan.SearchRequest(query=QUESTION["query"])


def test_the_answer_and_the_events_are_those_of_a_synchronous_search() -> None:
    """Two searches at once in one loop, on one runtime."""

    async def use() -> tuple[list[goldpan.Answer], list[str]]:
        runtime = github_runtime()
        answers = await asyncio.gather(*(goldpan.asearch(REQUEST, runtime=runtime) for _ in range(2)))
        return answers, [event.message async for event in goldpan.astream_search(REQUEST, runtime=runtime)]

    answers, messages = asyncio.run(use())
    expected = timeless(goldpan.search(REQUEST, runtime=github_runtime()).model_dump(mode="json"))
    assert [timeless(each.model_dump(mode="json")) for each in answers] == [expected] * 2
    assert messages == [event.message for event in goldpan.stream_search(REQUEST, runtime=github_runtime())]


def test_a_cancelled_task_cancels_its_search_alone() -> None:
    """The call that runs ends at once; the other search is answered."""

    async def use() -> goldpan.Answer:
        blocked, other = BlockingSource(), BlockingSource()
        runtimes = map(github_runtime, (blocked, other))
        first, second = (asyncio.create_task(goldpan.asearch(REQUEST, runtime=each)) for each in runtimes)
        await wait_for(blocked.started)
        await wait_for(other.started)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        await wait_for(blocked.cancelled)
        other.release.set()
        return await second

    assert asyncio.run(use()).repositories.results


def test_closing_a_synchronous_stream_cancels_its_search() -> None:
    """Kinds side by side run in threads of their own, which would go on to call a model that is paid for."""
    blocked, both = BlockingSource(), REQUEST.model_copy(update={"kinds": ("repositories", "papers")})
    with closing(goldpan.stream_search(both, runtime=github_runtime(blocked))) as events:
        assert next(events).stage == "translate"
        assert blocked.started.acquire(timeout=PATIENCE)
    assert blocked.cancelled.wait(PATIENCE)


def test_what_a_search_raises_is_raised_in_its_task() -> None:
    """A wrong request too."""
    broken = github_runtime(ListedSource(failure=Unavailable("connection refused")))
    with pytest.raises(SourcesFailed, match="connection refused"):
        asyncio.run(goldpan.asearch(REQUEST, runtime=broken))
    with pytest.raises(InvalidRequest, match="query: "):
        asyncio.run(goldpan.asearch(""))
