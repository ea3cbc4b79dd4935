"""One experiment for each page: functions from frozen parameters to a frozen result, usually at every ε of a grid.

Pages, exercises, notebooks and benchmarks call the same functions, so that their results agree.
"""

__all__: list[str] = []
