"""Division of a table into training and test rows, such that neighbouring tables have neighbouring training parts."""

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

    Under add_remove a keyed hash in [0, 1) decides, computed from the cells of a row and its rank among identical
    rows: a row is for training if the hash is below ``share``. So one row more or less does not change the part of
    any other row. Under replace_one the position of a row decides. So a row that replaces another one is in the same
    part, and both parts keep their sizes.

    Parameters
    ----------
    frame : DataFrame
        The whole table, including columns that are not used.
    share : float
        Fraction of rows for training, in (0, 1); the expected fraction under add_remove.
    neighbouring : "add_remove" or "replace_one"
        Which tables are neighbours: they differ in one more row, or in one replaced row.

    Returns
    -------
    ndarray (n_train,), ndarray (n_test,)
        Row indices, under add_remove in the order of the table, under replace_one in a fixed random
        order, so that the first k of them are a random subset.

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
    """Return the row positions for training and those for testing, out of n rows.

    The first int(``share`` n) positions of a fixed random permutation are for training.
    """
    order = np.random.default_rng(_SEED).permutation(n)
    n_train = int(share * n + 1e-9)
    return order[:n_train], order[n_train:]


def row_codes(frame: pd.DataFrame) -> NDArray[np.uint64]:
    """Return a keyed 64-bit hash (n,) of each row's cells and of its rank among identical rows.

    The hash depends on no cell of a different row, except through this rank. A number has the same code in a column
    of integers, of floats or of text, since the other rows decide which type a column has.
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
    """Return a 128-bit code of each cell as two integers, (n, 2).

    The code is made of the bits of a number or of a digest of a text; an empty cell has a fixed code.
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
    """Return each cell of a column as the name of a class or group, (n,), with None for empty cells.

    A name depends on its cell alone: an integer is written without decimal point, whatever the type of the column.
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
