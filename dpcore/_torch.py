"""Lazy import of torch, and single-threaded use so that sums have a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["need_torch", "one_thread"]


def need_torch() -> Any:
    """Return torch, or raise an ImportError with installation advice."""
    try:
        import torch
    except ImportError as error:
        raise ImportError("Training needs torch: pip install 'dpcore[torch]'.") from error
    return torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread: small products are faster there, and sums have a fixed order."""
    torch = need_torch()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
