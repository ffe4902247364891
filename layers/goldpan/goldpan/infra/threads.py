"""Runs tasks in parallel until a deadline, in threads that never delay the exit of the process.

`concurrent.futures` joins its threads at exit, so that one call that hangs would keep a finished command running. These
threads are daemons, one for each task: to start one takes less than a tenth of a millisecond.
"""

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from functools import partial
from typing import TypeVar

from goldpan.engine.deadlines import Deadline
from goldpan.errors import TimedOut

Task = TypeVar("Task")
Result = TypeVar("Result")
CPU_LOCK = threading.Lock()
"""To be held while computing for milliseconds. Python runs one thread at a time anyway, and switches every 5 ms: if a
hundred threads compute at once, every call and every statement of SQLite waits for all of them."""


def run_parallel(
    tasks: Sequence[Task], work: Callable[[Task], Result], at_once: int, deadline: Deadline
) -> list[Result | None]:
    """Run the work on all tasks, in their order, `at_once` in parallel; None for a task without a result in time.

    Raises what the first failed task raised; tasks that have not begun are then skipped, as after the deadline, or if
    the caller is interrupted.
    """
    results: list[Result | None] = [None] * len(tasks)
    waiting = deque(enumerate(tasks))

    def work_on_all() -> None:
        while waiting:
            try:
                index, task = waiting.popleft()
            except IndexError:  # another thread has just taken it
                return
            results[index] = work(task)

    running = [start(work_on_all) for _ in range(min(at_once, len(tasks)))]
    try:
        ended, _ = wait(running, deadline.left, FIRST_EXCEPTION)
    finally:
        waiting.clear()
    for each in ended:
        each.result()
    return results.copy()


def run_with_deadline(work: Callable[[], Result], deadline: Deadline) -> Result:
    """Run the work, and abandon it at the deadline, whatever blocks it. Raises `TimedOut`, or what the work raised."""
    running = start(work)
    ended, _ = wait([running], deadline.left)
    if not ended:
        raise TimedOut("no answer before the deadline")
    return running.result()


def start(work: Callable[[], Result]) -> Future[Result]:
    """Run the work in a thread of its own; it cannot be cancelled."""
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()

    def job() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised in the thread of the caller
            future.set_exception(error)

    threading.Thread(target=job, name="goldpan", daemon=True).start()
    return future


def merge_iterators(iterators: Sequence[Iterator[Result]]) -> Iterator[Result]:
    """Yield from several iterators as their items come, each in a thread of its own. Raises what an iterator raises."""
    items: queue.SimpleQueue[tuple[Result] | Future[None]] = queue.SimpleQueue()

    def drain(iterator: Iterator[Result]) -> None:
        for item in iterator:
            items.put((item,))

    for iterator in iterators:
        start(partial(drain, iterator)).add_done_callback(items.put)
    running = len(iterators)
    while running:
        item = items.get()
        if isinstance(item, tuple):
            yield item[0]
        else:
            item.result()
            running -= 1
