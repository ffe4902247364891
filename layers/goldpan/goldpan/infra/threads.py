"""Runs tasks in parallel until a deadline, in threads that never delay the exit of the process.

`concurrent.futures` joins its threads at exit, so that one call that hangs would keep a finished command running. These
threads are daemons, and are reused, because starting a thread costs more than everything else here; idle ones end.
"""

import os
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
Job = Callable[[], None]
IDLE_SECONDS = 10.0
"""How long a thread without work waits for more; under steady traffic the next job comes sooner."""


class _ThreadPool:
    """Daemon threads that wait for their next job, and end after `IDLE_SECONDS` without one."""

    def __init__(self) -> None:
        # Not a SimpleQueue: that of CPython 3.11 waits without end if it wakes after its timeout.
        self._jobs = queue.Queue[Job]()
        self._idle = threading.Semaphore(0)
        """Counts the threads that wait, without those for which a job is in the queue."""

    def run(self, job: Job) -> None:
        """Give the job to an idle thread, or to a new one."""
        self._jobs.put(job)
        if not self._idle.acquire(blocking=False):
            threading.Thread(target=self._serve, args=(self._jobs, self._idle), name="goldpan", daemon=True).start()

    forget = __init__
    """To be called in a forked process, which has no idle threads."""

    @staticmethod
    def _serve(jobs: queue.Queue[Job], idle: threading.Semaphore) -> None:
        while True:
            try:
                jobs.get(timeout=IDLE_SECONDS)()  # kept in no variable: a waiting thread keeps no search alive
            except queue.Empty:
                if idle.acquire(blocking=False):
                    return
            else:  # if not, `run` has just counted on this thread: its job follows
                idle.release()


_POOL = _ThreadPool()
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_POOL.forget)
CPU_LOCK = threading.Lock()
"""To be held while computing for milliseconds. Python runs one thread at a time anyway, and switches every 5 ms: if a
hundred threads compute at once, every call and every statement of SQLite waits for all of them."""


def run_parallel(
    tasks: Sequence[Task], work: Callable[[Task], Result], at_once: int, deadline: Deadline
) -> list[Result | None]:
    """Run the work on all tasks, in their order, `at_once` in parallel; None for a task without a result in time.

    Raises what the first failed task raised; tasks that have not begun are then skipped, as after the deadline.
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
    ended, _ = wait(running, deadline.left, FIRST_EXCEPTION)
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
    """Run the work in a thread of the pool; it cannot be cancelled."""
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()

    def job() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised in the thread of the caller
            future.set_exception(error)

    _POOL.run(job)
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
