"""One experiment a page: frozen parameters in, a frozen result (a sweep over ε) out.

Pages, exercises, notebooks and benchmarks call these same functions, so they cannot disagree.
"""

__all__: list[str] = []
