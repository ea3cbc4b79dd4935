"""torch, loaded where something is trained and not before; on one thread, whose sums have a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["need_torch", "one_thread"]


def need_torch() -> Any:
    """Return torch; ImportError with what to do when it is absent."""
    try:
        import torch
    except ImportError as error:
        raise ImportError("Training needs torch: pip install 'dpcore[torch]'.") from error
    return torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Small products are many times slower on several threads, and their order is then not fixed."""
    torch = need_torch()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
