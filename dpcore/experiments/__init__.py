"""One experiment per page: from frozen parameters to a frozen result, usually a sweep over ε.

Pages, exercises, notebooks and benchmarks call these same functions, so they cannot disagree.
"""

__all__: list[str] = []
