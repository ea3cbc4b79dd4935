"""Rows of single runs as means: the small files that the pages read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["Row", "means", "read_means"]

Row = dict[str, Any]


def means(rows: Iterable[Row], columns: Sequence[str]) -> list[Row]:
    """Return one row per combination of ``columns``: mean and deviation of "error", number of runs.

    In the order in which the combinations come first; ``noise_multiplier`` is the first run's.
    """
    found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in columns)].append(row)
    return [
        dict(zip(columns, key, strict=True)) | {
            "noise_multiplier": some[0]["noise_multiplier"],
            "error": round(float(np.mean([row["error"] for row in some])), 6),
            "deviation": round(float(np.std([row["error"] for row in some])), 6),
            "runs": len(some),
        }
        for key, some in found.items()
    ]  # fmt: skip


@lru_cache(maxsize=4)
def read_means(path: Path) -> tuple[Row, ...]:
    """Return the rows of a file of means (.csv); read once, and not to be written to."""
    import pandas

    return tuple(
        {str(k): v for k, v in row.items()} for row in pandas.read_csv(path).to_dict("records")
    )
