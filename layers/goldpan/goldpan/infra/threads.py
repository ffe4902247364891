"""Runs tasks in parallel until a deadline, in threads that never delay the exit of the process.

`concurrent.futures` joins its threads at exit, so that one call that hangs would keep a finished command running. These
threads are daemons, and are reused, because starting a thread costs more than everything else here; idle ones end.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar, cast

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
        self._idle: list[queue.SimpleQueue[Job]] = []

    def run(self, job: Job) -> None:
        """Give the job to an idle thread, or to a new one."""
        try:
            inbox = self._idle.pop()
        except IndexError:
            inbox = queue.SimpleQueue()
            threading.Thread(target=self._serve, args=(inbox,), name="goldpan", daemon=True).start()
        inbox.put(job)

    def forget(self) -> None:
        """Forget the idle threads; to be called in a forked process, which has none of them."""
        self._idle.clear()

    def _serve(self, inbox: queue.SimpleQueue[Job]) -> None:
        while True:
            try:
                job = inbox.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                try:
                    self._idle.remove(inbox)
                except ValueError:  # `run` has just taken it: its job follows
                    continue
                return
            job()
            del job  # a waiting thread keeps nothing of the last search alive
            self._idle.append(inbox)


_POOL = _ThreadPool()
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_POOL.forget)
CPU_LOCK = threading.Lock()
"""To be held while computing for milliseconds. Python runs one thread at a time anyway, and switches every 5 ms: if a
hundred threads compute at once, every call and every statement of SQLite waits for all of them."""


@dataclass(frozen=True)
class Done(Generic[Task, Result]):
    """A task that ended: its index, and its result or the exception that it raised."""

    index: int
    result: Result | None = None
    error: BaseException | None = None


def run_parallel(
    tasks: Sequence[Task], work: Callable[[Task], Result], at_once: int, deadline: Deadline
) -> list[Result | None]:
    """Run the work on all tasks, in their order, `at_once` in parallel; None for a task without a result in time.

    Raises what the first failed task raised; tasks that have not begun are then skipped, as after the deadline.
    """
    results: list[Result | None] = [None] * len(tasks)
    for done in _as_completed(tasks, work, at_once, deadline):
        if done.error is not None:
            raise done.error
        results[done.index] = done.result
    return results


def run_with_deadline(work: Callable[[], Result], deadline: Deadline) -> Result:
    """Run the work, and abandon it at the deadline, whatever blocks it: a socket, a name lookup.

    Raises `TimedOut`, or what the work raised.
    """
    for done in _as_completed([None], lambda _: work(), 1, deadline):
        if done.error is not None:
            raise done.error
        return cast("Result", done.result)
    raise TimedOut("no answer before the deadline")


def _as_completed(
    tasks: Sequence[Task], work: Callable[[Task], Result], at_once: int, deadline: Deadline
) -> Iterator[Done[Task, Result]]:
    waiting: queue.SimpleQueue[tuple[int, Task]] = queue.SimpleQueue()
    ended: queue.SimpleQueue[Done[Task, Result]] = queue.SimpleQueue()
    stop = threading.Event()
    for item in enumerate(tasks):
        waiting.put(item)

    def worker() -> None:
        while not stop.is_set():
            try:
                index, task = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                ended.put(Done(index, work(task)))
            except BaseException as error:  # noqa: BLE001 - raised in the thread of the caller
                ended.put(Done(index, error=error))

    for _ in range(min(at_once, len(tasks))):
        _POOL.run(worker)
    try:
        for _ in tasks:
            yield ended.get(timeout=max(0.001, deadline.left))
    except queue.Empty:
        return
    finally:
        stop.set()


def merge_iterators(iterators: Sequence[Iterator[Result]]) -> Iterator[Result]:
    """Yield from several iterators as their items come, each iterator in a thread of its own.

    Raises what an iterator raises.
    """
    items: queue.SimpleQueue[tuple[Result | None, BaseException | None, bool]] = queue.SimpleQueue()

    def drain(iterator: Iterator[Result]) -> None:
        try:
            for item in iterator:
                items.put((item, None, False))
            items.put((None, None, True))
        except BaseException as error:  # noqa: BLE001 - raised in the caller's thread
            items.put((None, error, True))

    for iterator in iterators:
        _POOL.run(partial(drain, iterator))
    running = len(iterators)
    while running:
        item, error, is_last = items.get()
        if error is not None:
            raise error
        if is_last:
            running -= 1
        else:
            yield cast("Result", item)
