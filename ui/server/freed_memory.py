"""Overwriting of freed memory, so that no bytes of a user's data remain in it.

Three allocators keep freed memory for reuse, with its old content: glibc's, numpy's cache of small arrays, and
CPython's for blocks of at most 512 bytes. The last two are overwritten like the first (see `glibc_heaps`): all free
blocks are allocated, filled, and freed again. If Python uses another allocator, its memory is not overwritten.

The libraries of matrix products keep buffers with parts of the factors. They are overwritten by products of zeros.
"""

from __future__ import annotations

import ctypes
import logging
import mmap
import os
import sys
import sysconfig
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dgemm, sgemm

from ui.server import glibc_heaps, malloc_trim

__all__ = ["overwrite", "use_system_pool"]

_LOG = logging.getLogger(__name__)
_EACH, _NUMPY_CACHED = 7, range(1, 1024)  # arrays of each number of bytes in numpy's cache
_POOL = 2**14  # bytes of a pool, which holds CPython's blocks of one size
_POOL_HEAD = 48
_LARGEST = 512  # bytes of a block
_ARENA = 2**20  # bytes that CPython asks of the system at once
_POOLS_OF_ARENA = _ARENA // _POOL - 1  # one more if the address of the arena is a multiple
_DEPTH, _NARROW = 640, 16  # of the factors that fill the buffers of matrix products
_WIDTHS = 2048, 16384
_MOST_BYTES = 2**28  # of a size that are taken: a bound, should the pools be other ones
_ONE_AT_A_TIME = threading.Lock()


def use_system_pool() -> None:
    """Let Arrow, which pandas uses for names and text, allocate with the C library.

    Arrow's own allocator cannot be overwritten.
    """
    import pyarrow

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())


def overwrite(n_cells: int = 0) -> None:
    """Overwrite all free memory of the process, and return it to the system where possible.

    The stacks and the caches (see `glibc_heaps.overwrite_cache_of_thread`) of other threads that have not ended are
    not overwritten. If the system lacks memory or a further thread for a step, the step is left out, with a warning
    in the log.

    Parameters
    ----------
    n_cells : int
        Number of cells of the largest table that was freed.
    """
    steps = (
        partial(_overwrite_buffers, n_cells),
        _overwrite_python,
        _overwrite_numpy,
        glibc_heaps.overwrite_cache_of_thread,
        malloc_trim.trim,  # first, so that whole free pages need not be written to
        glibc_heaps.overwrite_heaps,
        glibc_heaps.unmap_stacks,
        malloc_trim.trim,
    )
    with _ONE_AT_A_TIME:
        for step in steps:
            try:
                step()
            except (MemoryError, RuntimeError, OSError) as error:
                _LOG.warning("overwriting freed memory: %s", type(error).__name__)


def _overwrite_buffers(n_cells: int) -> None:
    """Multiply zeros, so that the buffers of numpy's and scipy's matrix products hold zeros.

    A library copies parts of both factors to the beginning of its buffer of 32 MB, at most as many numbers as a
    factor has.
    """
    width = min(max(n_cells // 64, _WIDTHS[0]), _WIDTHS[1])
    for kind, product in ((np.float32, sgemm), (np.float64, dgemm)):
        wide, narrow = _zeros(_DEPTH, width, kind), _zeros(_NARROW, _DEPTH, kind)
        narrow @ wide
        wide.T @ narrow.T
        product(1.0, narrow, wide)
        product(1.0, wide, narrow, trans_a=True, trans_b=True)


def _zeros(n_rows: int, n_columns: int, kind: type[np.floating[Any]]) -> NDArray[Any]:
    """Return zeros (n_rows, n_columns) in column-major order, which scipy reads without a copy.

    Nothing is written to the memory pages of the zeros, which therefore occupy no memory.
    """
    pages = mmap.mmap(-1, n_rows * n_columns * np.dtype(kind).itemsize)
    return np.frombuffer(pages, kind).reshape(n_rows, n_columns, order="F")


def _overwrite_numpy() -> None:
    """Overwrite the arrays in numpy's cache, up to seven of each size, by allocating zeros of these sizes."""
    taken = [np.zeros(size, np.uint8) for size in _NUMPY_CACHED for _ in range(_EACH)]
    del taken


def _objects(size: int, count: int) -> list[object]:
    """Return ``count`` new objects, each of which fills one of CPython's blocks of ``size`` bytes."""
    if size == sys.getsizeof(object()):
        return [object() for _ in range(count)]
    if size == sys.getsizeof(2**40):
        return list(range(2**40, 2**40 + count))
    return [bytes(size - sys.getsizeof(b"")) for _ in range(count)]


def _overwrite_python() -> None:
    """Overwrite all empty pools of CPython's allocator, then all free blocks of each size.

    In the other order, some empty pools would be overwritten only at their beginning.
    """
    if not _has_pools():
        return
    if len(_blocks(_LARGEST, _has_whole_arenas)) * _LARGEST < _MOST_BYTES:
        taken = [_blocks(size, _has_whole_pool) for size in range(16, _LARGEST + 1, 16)]
        del taken


def _has_pools() -> bool:
    """Return whether CPython stores small objects in pools, without another allocator or a debugging one."""
    return (
        sys.implementation.name == "cpython"
        and ctypes.sizeof(ctypes.c_void_p) == 8
        and not sysconfig.get_config_var("Py_GIL_DISABLED")
        and sysconfig.get_config_var("WITH_PYMALLOC") != 0
        and not hasattr(sys, "gettotalrefcount")
        and not sys.flags.dev_mode
        and os.environ.get("PYTHONMALLOC", "pymalloc") == "pymalloc"
    )


def _blocks(size: int, is_enough: Callable[[NDArray[np.int64]], bool]) -> list[object]:
    """Return so many objects of ``size`` bytes that ``is_enough(pools)`` is true for the new pools that they fill.

    ``pools`` has the numbers of these pools. The rest of a pool, which is too small for a block, is overwritten, too.
    An object is in no pool if the system had no memory for a further one. Therefore only objects that were created
    before a new pool was full are counted.
    """
    per_pool = (_POOL - _POOL_HEAD) // size
    objects: list[object] = []
    places, first = np.empty(0, np.int64), np.empty(0, np.int64)
    while len(objects) * size < _MOST_BYTES and not is_enough(places[first] // _POOL):
        more = _objects(size, max(4 * per_pool, len(objects) // 2))
        objects += more
        places = np.concatenate([places, np.fromiter(map(id, more), np.int64, len(more))])
        first = _first_in_new_pools(places, size)
    used = _POOL_HEAD + per_pool * size
    in_pools = places[: first[-1] + per_pool] if len(first) else places[:0]
    for number in np.unique(in_pools // _POOL).tolist():
        ctypes.memset(number * _POOL + used, 0, _POOL - used)
    return objects


def _first_in_new_pools(places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the indices of the objects that are first in a pool that was empty before.

    Such a pool is filled, from its beginning to its end, with objects that were created one after the other.
    """
    last = (_POOL - _POOL_HEAD) // size - 1
    breaks = np.append(0, np.cumsum(np.diff(places) != size))
    first = np.flatnonzero(places[: len(places) - last] % _POOL == _POOL_HEAD)
    in_whole_pools: NDArray[np.int64] = first[breaks[first + last] == breaks[first]]
    return in_whole_pools


def _has_whole_pool(pools: NDArray[np.int64]) -> bool:
    """Return whether a new pool was filled; CPython takes one only if no pool of the size has a free block."""
    return len(pools) > 0


def _has_whole_arenas(pools: NDArray[np.int64]) -> bool:
    """Return whether the pools fill a new or empty arena; CPython takes such arenas last.

    Adjacent pools may belong to two arenas and fill neither of them. Therefore as many pools as three arenas have
    are required. Not all of them need to be adjacent: between two arenas whose addresses are no multiples of the size
    of a pool, a pool is missing.
    """
    pools = np.sort(pools)
    rows = np.split(pools, np.flatnonzero(np.diff(pools) != 1) + 1)
    return sum(len(row) // _POOLS_OF_ARENA for row in rows) >= 3
