"""The asynchronous entry points: each search runs in a thread, and ends with the task that waits for it.

They need a running event loop of asyncio, and may be used any number of times at once.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Future
from contextlib import aclosing, suppress
from functools import partial
from typing import TypeVar

from goldpan.contracts import SearchRequest
from goldpan.engine import search as engine
from goldpan.engine.deadlines import SearchClock
from goldpan.engine.dependencies import Runtime
from goldpan.engine.events import SearchEvent
from goldpan.infra.threads import start
from goldpan.kinds.answer import Answer
from goldpan.local.entry_points import make_request, runtime_for

Item = TypeVar("Item")


def astream_search(
    request: SearchRequest | str, *, runtime: Runtime | None = None
) -> AsyncGenerator[SearchEvent, None]:
    """Search and yield an event for each finished stage, as `stream_search` does; closing it cancels the search."""
    asked = make_request(request)
    return _in_thread(lambda used: engine.stream_search(asked, used), asked, runtime)


async def asearch(request: SearchRequest | str, *, runtime: Runtime | None = None, refresh: bool = False) -> Answer:
    """Return the answer, as `search` does; cancelling the task cancels the search and its calls."""
    asked = make_request(request)
    search = partial(engine.get_or_search, asked, refresh=refresh)
    async with aclosing(_in_thread(lambda used: iter((search(used),)), asked, runtime)) as answers:
        return await anext(answers)


async def _in_thread(
    work: Callable[[Runtime], Iterator[Item]], request: SearchRequest, runtime: Runtime | None
) -> AsyncGenerator[Item, None]:
    """Yield what the work yields in a thread, or raise what it raises; the search is cancelled when this is closed."""
    loop, clock = asyncio.get_running_loop(), SearchClock()
    items = asyncio.Queue[tuple[Item] | Future[None]]()

    def put(item: tuple[Item] | Future[None]) -> None:
        with suppress(RuntimeError):  # the loop is closed, and nothing waits any more
            loop.call_soon_threadsafe(items.put_nowait, item)

    def search() -> None:
        with runtime_for(request, runtime) as used:
            for item in work(used.on_clock(clock)):
                put((item,))

    start(search).add_done_callback(put)
    try:
        while isinstance(item := await items.get(), tuple):
            yield item[0]
        item.result()
    finally:
        clock.cancel()
