"""Compare the size of arrays sent to browsers with float16, int16 and float32.

All arrays are compressed by gzip. For each page, the program prints the kB of the arrays that the figure draws
first when the page opens. The results behind these arrays are prepared by ``python -m pages prepare``.

After the sizes follow the number of arrays whose error with float16 exceeds the tolerance of
`ui.live.precision`, and the largest such error divided by the tolerance. With int16, a column is scaled
linearly if its error then meets the tolerance; otherwise it is sent as float32. Numbers in displayed text are
sent exactly with every encoding.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from streamlit.logger import set_log_level

from pages import specs
from ui.embed.render_jobs import opened
from ui.frame.page_spec import PageSpec
from ui.live.figure import Figure
from ui.live.precision import tolerances
from ui.live.purposes import purposes
from ui.live.wire import Tolerance, _quantised, encode, rounded


class Row(NamedTuple):
    """Sizes of one array in bytes, by encoding, and its error with float16 divided by the tolerance."""

    ours: int
    int16: int
    float16: int
    float32: int
    error: float


def _packed(raw: bytes) -> int:
    return len(gzip.compress(raw, 6))


def _row(values: NDArray[Any], tolerance: Tolerance) -> Row:
    plain, error = _packed(values.tobytes()), 0.0
    half = whole = plain
    if tolerance.scale != "exact" and values.dtype == np.float32:
        with np.errstate(over="ignore"):
            small = values.astype(np.float16)
        half, error = _packed(small.tobytes()), _error(values, small, tolerance)
        found = _quantised(values, tolerance)
        whole = _packed(found[1].tobytes()) + 16 * len(found[2]) if found else plain
    return Row(_packed(encode(values, tolerance)), whole, half, plain, error)


def _error(values: NDArray[Any], small: NDArray[Any], tolerance: Tolerance) -> float:
    """Return the largest error of an array with float16 divided by the tolerance, or 0 if there is no tolerance."""
    allowed = np.array(tolerance.errors)
    if not allowed.all():
        return 0.0
    if len(allowed) > 1:  # columns that have no tolerance are not looked at
        width = values.shape[-1]
        allowed = np.concatenate([allowed, np.full(width, np.inf)])[:width]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        there, here = values.astype(float), small.astype(float)
        if tolerance.scale == "log":
            there, here = np.log10(there), np.log10(here)
        far = np.abs(there - here) / allowed
    return float(np.nanmax(np.where(np.isfinite(far), far, 0.0), initial=0.0))


def _first(figure: Figure) -> Iterator[Row]:
    wanted, seen = purposes(figure), set()
    for name, tolerance in tolerances(figure).items():
        array = figure.arrays[name]
        if wanted[name] or array.digest in seen:
            continue
        seen.add(array.digest)
        assert rounded(array.values, tolerance).shape == array.values.shape
        yield _row(array.values, tolerance)


def main() -> None:
    """Print the sizes for each page, and their sum over all pages."""
    set_log_level("error")
    print(
        f"{'page':12}{'ours':>8}{'int16':>8}{'float16':>9}{'float32':>9}   float16: too far, at most"
    )
    total = np.zeros(4)
    for spec in specs():
        if not isinstance(spec, PageSpec):
            continue
        figure, whole = opened(spec)
        rows = list(_first(figure))
        sizes = np.array([row[:4] for row in rows]).sum(0) / 1e3
        total += sizes
        far = [row.error for row in rows if row.error > 1]
        print(
            f"{spec.key:12}{sizes[0]:8.1f}{sizes[1]:8.1f}{sizes[2]:9.1f}{sizes[3]:9.1f}   "
            f"{len(far)} of {len(rows)}, {max(far, default=0.0):.0f} times"
            f"{'' if whole else '   (not all prepared)'}"
        )
    print(
        f"{'all':12}"
        + "".join(f"{size:{width}.1f}" for size, width in zip(total, (8, 8, 9, 9), strict=True))
    )


if __name__ == "__main__":
    main()
