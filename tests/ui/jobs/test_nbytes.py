"""How large results are: what bounds what is kept."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from ui.jobs.lru_cache import nbytes
from ui.live import Array


@dataclass(frozen=True)
class Found:
    row: Any
    more: Any = None

    @cached_property
    def late(self):
        return np.zeros(10)


ROW = np.zeros(100)


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (None, 0),
        ("a word", 0),
        (3.5, 0),
        (Found, 0),
        (np, 0),
        (ROW, 800),
        (Found(ROW), 800),
        (Found(ROW, ROW), 800),  # once
        (Found({"a": ROW, "b": (np.zeros(2), [Found(np.zeros(3))])}), 840),
        ({1.0: {"line": Array(np.zeros(4, np.float32), (None,))}}, 16),
    ],
)
def test_all_arrays_count_once(value, size):
    assert nbytes(value) == size


def test_what_is_computed_later_counts_from_then_on():
    found = Found(ROW)
    _ = found.late
    assert nbytes(found) == 880


def test_a_result_that_holds_itself_is_counted():
    loop = [ROW]
    loop.append(loop)
    assert nbytes(loop) == 800
