"""Background jobs with progress, cancellation, and a cache bounded in bytes.

A job yields `Report`s, each with a better result than the one before. The page polls a job repeatedly; a
job that has not been polled for a while stops, so that a closed browser tab costs nothing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from dpcore._missing import MissingPackage
from ui.jobs import render_queue
from ui.jobs.lru_cache import LRUCache, nbytes
from ui.jobs.reports import Cancelled, Report, Snapshot
from ui.words import text

__all__ = ["Jobs", "stop_all"]

T = text.load_text(__file__)

_LOG = logging.getLogger(__name__)

Work = Callable[[Callable[[Report], None], Callable[[], bool]], None]
"""Function ``work(report, cancelled)`` of a job.

It calls ``report(progress)`` from time to time, and returns early once ``cancelled()`` is true.
"""


_ALL: weakref.WeakSet[Jobs] = weakref.WeakSet()


def stop_all() -> None:
    """Stop all background jobs of the process when it ends."""
    for jobs in list(_ALL):
        jobs.stop()


class _Job:
    def __init__(self) -> None:
        self.snapshot = Snapshot()
        self.changed = threading.Condition()
        self.last_poll = self.started = time.monotonic()
        self.stop = False
        self.nbytes = 0

    def update(self, **changes: Any) -> None:
        with self.changed:
            self.snapshot = replace(self.snapshot, **changes)
            self.changed.notify_all()

    def publish(self, report: Report) -> None:
        spent = time.monotonic() - self.started
        left = spent * (1 - report.fraction) / report.fraction if report.fraction > 0 else None
        if report.value is not None and report.value is not self.snapshot.value:
            self.nbytes = nbytes(report.value)
            self.update(value=report.value, version=self.snapshot.version + 1)
        self.update(fraction=report.fraction, text=report.text, seconds_left=left)


class Jobs:
    """Pool of a few threads for background jobs, with an LRU cache of their results.

    ``drafts`` caches provisional results, with a bound of its own, since a moving slider produces many.

    Parameters
    ----------
    workers : int
        Number of threads.
    max_bytes : int
        Bound on the bytes of the cached results; the size of a result is the size of its arrays.
    patience : float
        Seconds after which a job that is no longer polled stops.
    """

    def __init__(
        self, *, workers: int = 2, max_bytes: int = 256 * 2**20, patience: float = 5.0
    ) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="job")
        _ALL.add(self)
        self.drafts = LRUCache(max_bytes // 16)
        self._jobs: OrderedDict[Hashable, _Job] = OrderedDict()
        self._lock, self._finding = threading.Lock(), threading.Lock()
        self._making: dict[Hashable, Future[Any]] = {}  # by `now`, at this moment
        self._max_bytes = max_bytes
        self._patience = patience

    def poll(self, key: Hashable, work: Work, *, wait: float = 0.0) -> Snapshot:
        """Return the state of the job ``key``; start the job if there is none.

        ``wait``: seconds to wait for a first result, so that quick jobs need no second poll.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                job = self._jobs[key] = _Job()
                self._pool.submit(self._run, job, work)
            self._jobs.move_to_end(key)
            job.last_poll = time.monotonic()
            self._evict(key)
        if not wait or job.snapshot.value is not None or job.snapshot.done:
            return job.snapshot
        with render_queue.aside(), job.changed:
            job.changed.wait_for(
                lambda: job.snapshot.value is not None or job.snapshot.done, timeout=wait
            )
            return job.snapshot

    def now(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the final result of the job ``key``, computed in the calling thread if it is not cached.

        If several threads request the result at once, one thread computes it. The others wait for its result or
        error.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and job.snapshot.whole:
                self._jobs.move_to_end(key)
                return job.snapshot.value
            making = self._making.get(key)
            mine = self._making.setdefault(key, Future())
        if making is not None:
            with render_queue.aside(), contextlib.suppress(CancelledError):
                return making.result()
            return self.now(key, make)
        try:
            mine.set_result(self._compute_now(key, make))
        except Exception as error:
            mine.set_exception(error)
        finally:
            with self._lock:
                del self._making[key]
            mine.cancel()  # ended from outside, as a reader's script is: the next who asks makes it
        return mine.result()

    def _compute_now(self, key: Hashable, make: Callable[[], Any]) -> Any:
        job = _Job()
        job.publish(Report(make(), 1.0))
        job.update(done=True)
        with self._lock:
            there = self._jobs.get(key)
            if there is None or there.snapshot.done:  # one that runs goes on for those who wait
                self._jobs[key] = job
                self._jobs.move_to_end(key)
                self._evict(key)
        return job.snapshot.value

    def offer(self, key: Hashable, find: Callable[[], Any]) -> None:
        """Cache the result of ``find()`` under ``key``, unless it is None or the key already has a job."""
        if key in self._jobs:
            return
        with self._finding:  # one of many who ask at once looks for it, the others find it here
            value = None if key in self._jobs else find()
        if value is not None:
            self.now(key, lambda: value)

    def peek(self, key: Hashable, *, attend: bool = False) -> Snapshot | None:
        """Return the state of the job ``key`` without starting the job.

        Return None if there is no such job. ``attend`` counts as a poll, which keeps the job running.
        """
        job = self._jobs.get(key)
        if job and attend:
            job.last_poll = time.monotonic()
        return job.snapshot if job else None

    def leave(self, key: Hashable) -> None:
        """Halve the remaining patience with the job ``key``.

        The job then stops after half of the usual time, unless it is polled again.
        """
        job = self._jobs.get(key)
        if job:
            job.last_poll = min(job.last_poll, time.monotonic() - self._patience / 2)

    def cancel(self, key: Hashable) -> None:
        """Stop the job ``key`` at its next check for cancellation; a partial result remains available."""
        job = self._jobs.get(key)
        if job:
            job.stop = True

    def forget(self, key: Hashable) -> None:
        """Stop the job ``key`` and drop its result, so that the next poll starts it again."""
        self.cancel(key)
        with self._lock:
            self._jobs.pop(key, None)

    def stop(self) -> None:
        """Stop all running jobs, and start no further ones.

        A running job stops at its next check for cancellation.
        """
        self._pool.shutdown(wait=False, cancel_futures=True)
        for job in list(self._jobs.values()):
            job.stop = True

    def close(self) -> None:
        """Stop all jobs permanently and drop all their results."""
        self.stop()
        self.drafts.clear()
        with self._lock:
            self._jobs.clear()

    def _run(self, job: _Job, work: Work) -> None:
        abandoned = False

        def cancelled() -> bool:
            # Once yes, always yes: work that has been cut short must not pass for whole because
            # somebody asked again in the meantime.
            nonlocal abandoned
            abandoned = abandoned or time.monotonic() - job.last_poll > self._patience
            return job.stop or abandoned

        job.started = time.monotonic()
        _step_back()
        try:
            work(job.publish, cancelled)
        except Cancelled:
            pass
        # Bad input found late, or a package that is not installed: a sentence for the person.
        except (ValueError, MissingPackage) as error:
            job.update(error=str(error))
        except Exception as error:
            if job.stop:  # nobody wants it: at the end of the process no thread can be started
                return
            # The class alone: a message or traceback could carry somebody's data into the log.
            _LOG.error("job failed: %s", type(error).__name__)
            job.update(error=T("job.failed", error=type(error).__name__))
        finally:
            finished = job.snapshot.fraction >= 1.0
            if not finished and not job.stop and not job.snapshot.error:
                self._drop(job)  # abandoned: whoever comes back starts it again
            job.update(done=True, cancelled=not finished, seconds_left=None)

    def _drop(self, job: _Job) -> None:
        with self._lock:
            for key in [key for key, other in self._jobs.items() if other is job]:
                del self._jobs[key]

    def _evict(self, keep: Hashable) -> None:
        total = sum(job.nbytes for job in self._jobs.values())
        for key in list(self._jobs):
            if total > self._max_bytes and key != keep and self._jobs[key].snapshot.done:
                total -= self._jobs[key].nbytes
                del self._jobs[key]


def _step_back() -> None:
    """Lower the priority of this thread (on Linux).

    Threads that respond to moving sliders then run first.
    """
    with contextlib.suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
