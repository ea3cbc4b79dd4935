"""Lazy import of torch, and a context in which torch runs on a single thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["need_torch", "one_thread"]


def need_torch() -> Any:
    """Return the module torch, or raise an ImportError that tells how to install it."""
    try:
        import torch
    except ImportError as error:
        raise ImportError("Training needs torch: pip install 'dpcore[torch]'.") from error
    return torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread inside the ``with`` block: sums have a fixed order, and small products are faster."""
    torch = need_torch()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
