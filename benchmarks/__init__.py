"""Programs that print a ratio against a peer measured in the same run."""

import statistics
import time
from collections.abc import Callable


def timed(
    work: Callable[[], object], repeats: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the median seconds of some runs, after one that does not count."""
    work()
    spans = []
    for _ in range(repeats):
        start = clock()
        work()
        spans.append(clock() - start)
    return statistics.median(spans)
