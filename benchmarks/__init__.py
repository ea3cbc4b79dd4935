"""Programs that compare the run times of this project with those of other programs, in the same run."""

import statistics
import time
from collections.abc import Callable


def timed(
    work: Callable[[], object], repeats: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the median run time of ``work`` in seconds, after a first run that is not measured."""
    work()
    spans = []
    for _ in range(repeats):
        start = clock()
        work()
        spans.append(clock() - start)
    return statistics.median(spans)
