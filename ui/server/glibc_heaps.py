"""Overwriting of the free memory in glibc's heaps.

glibc keeps freed blocks for reuse, with their old content: in several heaps, and small ones in a cache of each
thread. It has no function that overwrites all free blocks. Therefore all free blocks of a heap are allocated, from
the largest to the smallest, filled with zeros, and freed again. The functions do nothing where the C library is not
glibc, or where another allocator takes the place of its own (``LD_PRELOAD``).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from array import array
from pathlib import Path
from typing import Any

from ui.server import malloc_trim

__all__ = ["fill_freed_blocks", "overwrite_cache_of_thread", "overwrite_heaps", "unmap_stacks"]

_PERTURB = -6  # as in glibc's malloc.h
_FILLING = 0xA5  # any byte but 0, which switches the filling off
_LARGEST = 2**24  # bytes asked for at first; a larger free block is taken in several parts
_SMALLEST = 24  # bytes of the smallest block
_CACHED = range(_SMALLEST, 1033, 16)  # sizes of the blocks in the cache of a thread
_EACH = 7  # blocks of each size in it
_UNCACHED = 2000  # bytes of a block that comes from no cache
_EDGE = 2**12 + 2**7  # bytes at the ends of a block that can lie in a page with blocks in use
_WORD = 8
_IS_MAPPED, _IS_OTHER_HEAP, _FLAGS = 2, 4, 7  # in the word of a block's size, which precedes it
_HEAP_BYTES = 2**26  # of all heaps but the first; their addresses are multiples
_HUGE = "hugetlb"  # a tunable with which heaps have other sizes
_STACK = 2**26  # bytes, more than all stacks that glibc keeps
_MOST = 2**22  # free blocks of a heap that are taken at most
_MOST_BYTES = 2**31  # in them: a bound, should the end of a heap not be known


def fill_freed_blocks() -> None:
    """Tell glibc to fill each block with a constant when it is freed, from now on.

    `overwrite_heaps` reaches only free blocks. It does not reach a block that was allocated again, even if its new
    owner has not written to all of it. Blocks in the cache of a thread are not filled.
    """
    malloc_trim.set_option(_PERTURB, _FILLING)


def overwrite_cache_of_thread() -> None:
    """Overwrite the freed blocks that glibc caches for the calling thread."""
    library = _library()
    if library is not None:
        _overwrite_cache(library)


def _overwrite_cache(library: Any) -> None:
    blocks = [library.malloc(size) for size in _CACHED for _ in range(_EACH)]
    for block in blocks:
        _clear(library, block)
    for block in blocks:
        library.free(block)


def overwrite_heaps() -> None:
    """Overwrite the free blocks of all heaps of the process.

    glibc assigns a heap to each new thread: first the heaps that no thread uses, then all heaps in turn. Therefore so
    many threads are started that each heap has one. Each thread overwrites its heap, and ends when all have done so.
    """
    library = _library()
    if library is None:
        return
    done: set[int] = set()
    end = threading.Event()
    threads = []
    try:
        for _ in range(2 * _count_heaps() + 1):
            ready = threading.Event()
            thread = threading.Thread(target=_overwrite_heap, args=[library, done, ready, end])
            thread.start()
            threads.append(thread)
            ready.wait()
    finally:  # also when the system allows no further thread
        end.set()
        for thread in threads:
            thread.join()


def unmap_stacks() -> None:
    """Let glibc unmap the stacks of ended threads.

    glibc keeps up to 40 MB of such stacks for new threads. When a thread with a larger stack ends, it unmaps all.
    """
    before = threading.stack_size()
    try:
        threading.stack_size(_STACK)
        thread = threading.Thread(target=int)
        thread.start()
    except (ValueError, RuntimeError):  # the system has no such memory, or the process ends
        return
    finally:
        threading.stack_size(before)
    thread.join()


def _library() -> Any:
    """Return the library glibc, or None if the process does not use its allocator.

    No other Python thread runs during a call of the library's functions. For another allocator the result is None,
    since its blocks are not preceded by the words that `_word` reads.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):
        library = ctypes.PyDLL(None)
        for name, result, arguments in (
            ("gnu_get_libc_version", ctypes.c_char_p, []),
            ("malloc", ctypes.c_void_p, [ctypes.c_size_t]),
            ("free", None, [ctypes.c_void_p]),
            ("malloc_usable_size", ctypes.c_size_t, [ctypes.c_void_p]),
            ("memset", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]),
            ("sbrk", ctypes.c_void_p, [ctypes.c_ssize_t]),
        ):
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        own = ctypes.PyDLL("libc.so.6").malloc
        is_own = _address(library.malloc) == _address(own)
        is_known = ctypes.sizeof(ctypes.c_void_p) == _WORD and _HUGE not in os.environ.get(
            "GLIBC_TUNABLES", ""
        )
        return library if is_own and is_known else None
    return None


def _address(function: Any) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


def _clear(library: Any, block: int) -> None:
    """Fill a block with zeros, except for the whole memory pages in the middle of a large block.

    These pages have already been returned to the system.
    """
    size = library.malloc_usable_size(block)
    if size <= 2 * _EDGE:
        library.memset(block, 0, size)
    else:
        library.memset(block, 0, _EDGE)
        library.memset(block + size - _EDGE, 0, _EDGE)


def _overwrite_heap(
    library: Any, done: set[int], ready: threading.Event, end: threading.Event
) -> None:
    """Allocate all free blocks of the thread's heap, clear them, and free them, unless the heap is in ``done``.

    If an allocated block is at the unused end of the heap or outside of it, no free block of its size is left.
    """
    taken = array("Q")
    try:
        _overwrite_cache(library)
        block = library.malloc(_UNCACHED)
        heap = _heap_of(block) if block else -1
        library.free(block)
        if heap in done or heap < 0:
            return
        done.add(heap)
        size, left = _LARGEST, _MOST_BYTES
        while size >= _SMALLEST // 2 and len(taken) < _MOST and left > 0:
            block = library.malloc(max(size, _SMALLEST))
            if block and _heap_of(block) == heap and not _is_last(library, block):
                _clear(library, block)
                taken.append(block)
                left -= size
            else:
                library.free(block)
                size //= 2
    except MemoryError:
        return
    finally:
        for block in taken:
            library.free(block)
        ready.set()
        end.wait()


def _heap_of(block: int) -> int:
    """Return a number that identifies the heap of a block: 0 for the first heap, -1 for a block in no heap."""
    flags = _word(block - _WORD)
    if flags & _IS_MAPPED:
        return -1
    return _word(block // _HEAP_BYTES * _HEAP_BYTES) if flags & _IS_OTHER_HEAP else 0


def _is_last(library: Any, block: int) -> bool:
    """Return whether nothing but the unused end of the heap follows a block."""
    flags = _word(block - _WORD)
    following = block + (flags & ~_FLAGS)
    if flags & _IS_OTHER_HEAP:
        start = block // _HEAP_BYTES * _HEAP_BYTES
        end = start + _word(start + 2 * _WORD)
    else:
        end = library.sbrk(0)
    return following >= end or following - 2 * _WORD + (_word(following - _WORD) & ~_FLAGS) >= end


def _word(address: int) -> int:
    return ctypes.c_uint64.from_address(address).value


def _count_heaps() -> int:
    """Return an upper bound on the number of heaps."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return 1 + sum(int(line.partition("-")[0], 16) % _HEAP_BYTES == 0 for line in lines)
