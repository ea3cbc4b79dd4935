"""Division of a table into training and test rows.

The training parts of two neighbouring tables are also neighbours, because they differ in at most one row.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, cast, get_args

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks
from dpcore.datasets._parse import number
from dpcore.guarantee import Neighbouring

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Rows", "named", "places", "row_codes", "sides"]

Rows = NDArray[np.int64]
_SEED = 1  # seed of the order of places: a constant, so that a place is on the same side in every table of n rows
_KEY = b"rows for training and for testing"
_BLOCK = 2000  # rows whose codes are in memory at once
_EMPTY = np.float64("nan").view(np.uint64)


def sides(frame: pd.DataFrame, share: float, neighbouring: Neighbouring) -> tuple[Rows, Rows]:
    """Return the row indices of the training part and of the test part of a table.

    Under add_remove, a row is for training if its keyed hash in [0, 1) is below ``share``. The hash is computed from
    the cells of the row and its rank among identical rows. Adding or removing a row therefore does not move the other
    rows to another part.

    Under replace_one, the part of a row depends only on its position. A row that replaces another row is therefore in
    the same part, and both parts keep their sizes.

    Parameters
    ----------
    frame : DataFrame
        The whole table, including the columns that are not used.
    share : float
        Fraction of rows for training, in (0, 1). Under add_remove it is the expected fraction.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation. Tables differ in one added or removed row, or in one replaced row.

    Returns
    -------
    ndarray (n_train,), ndarray (n_test,)
        Row indices of the training part and of the test part. Under add_remove they are in the order of the table.
        Under replace_one they are in a fixed random order, so the first k indices are a random subset.

    Raises
    ------
    ValueError
        When ``neighbouring`` is unknown.
    """
    _checks.one_of("neighbouring", neighbouring, get_args(Neighbouring))
    if neighbouring == "replace_one":
        return places(len(frame), share)
    trains = row_codes(frame) < np.uint64(round(share * 2**64))
    return np.flatnonzero(trains), np.flatnonzero(~trains)


def places(n: int, share: float) -> tuple[Rows, Rows]:
    """Return the positions of the training rows and of the test rows among n rows.

    The positions are randomly permuted, always in the same way. The first int(``share`` n) are for training.
    """
    order = np.random.default_rng(_SEED).permutation(n)
    n_train = int(share * n + 1e-9)
    return order[:n_train], order[n_train:]


def row_codes(frame: pd.DataFrame) -> NDArray[np.uint64]:
    """Return a keyed 64-bit hash (n,) of every row, computed from its cells and its rank among identical rows.

    Other rows influence the hash of a row only through this rank. A number has the same hash in a column of integers,
    floats or strings, because the type of a column depends on all rows.
    """
    columns = [_codes(frame[name]) for name in frame.columns]
    seen: Counter[bytes] = Counter()
    hashes = np.empty(len(frame), np.uint64)
    for start in range(0, len(frame), _BLOCK):
        block = np.concatenate(
            [codes[start : start + _BLOCK] for codes in columns], axis=1, dtype=np.uint64
        )
        for at, cells in enumerate(block, start=start):
            row = hashlib.blake2b(cells.tobytes(), digest_size=16, key=_KEY).digest()
            place = row + seen[row].to_bytes(8, "little")
            seen[row] += 1
            whole = hashlib.blake2b(place, digest_size=8, key=_KEY).digest()
            hashes[at] = int.from_bytes(whole, "little")
    return hashes


def _codes(column: pd.Series) -> NDArray[np.uint64]:
    """Return a 128-bit code for every cell of a column, as two 64-bit integers (n, 2).

    A number is encoded by its bits, and a string by its digest. All empty cells have the same code.
    """
    if column.dtype.kind in "if":
        return _of_numbers(column.to_numpy(float))
    place, texts = _factorized(column)
    known = np.array([_of_text(text) for text in texts], np.uint64).reshape(-1, 2)
    return np.concatenate([known, [[np.uint64(0), _EMPTY]]])[place]


def _of_numbers(values: NDArray[np.float64]) -> NDArray[np.uint64]:
    bits = (values + 0.0).view(np.uint64)  # -0.0 is 0.0
    bits[np.isnan(values)] = _EMPTY
    return np.stack([np.zeros_like(bits), bits], axis=1)


def _of_text(text: str) -> tuple[int, int]:
    value = number(text)
    if value is not None:
        return cast("tuple[int, int]", tuple(_of_numbers(np.array([value]))[0].tolist()))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    # Numbers have a 0 in the first half.
    return int.from_bytes(digest[:8], "little") | 1, int.from_bytes(digest[8:], "little")


def _factorized(column: pd.Series) -> tuple[Rows, list[str]]:
    import pandas as pd

    place, texts = pd.factorize(column)  # -1 where a cell is empty
    return cast(Rows, place), [str(text) for text in texts]


def named(column: pd.Series) -> NDArray[np.object_]:
    """Return the cells (n,) of a column as names of classes or groups, with None for empty cells.

    A whole number is written without decimal point, even if the column contains other floats. The name of a cell
    therefore does not depend on other cells.
    """
    if column.dtype.kind in "if":
        values, place = np.unique(column.to_numpy(float), return_inverse=True)
        names = [_name(value) for value in values.tolist()]
    else:
        place, texts = _factorized(column)
        names = [*(_name_of_text(text) for text in texts), None]
    known = np.empty(len(names), object)
    known[:] = names
    return cast("NDArray[np.object_]", known[place.ravel()])


def _name_of_text(text: str) -> str | None:
    value = number(text)
    return text if value is None else _name(value)


def _name(value: float) -> str | None:
    if np.isnan(value):
        return None
    return str(int(value)) if value.is_integer() else str(value)
