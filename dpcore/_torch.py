"""Lazy import of torch, and a context manager for torch on a single thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpcore._missing import MissingPackage

__all__ = ["need_torch", "one_thread"]

_REMEDY = (
    "This computation needs torch, which cannot be loaded here. Install it, and start Python again: "
    "pip install torch --index-url https://download.pytorch.org/whl/cpu (on macOS: pip install torch)."
)


def need_torch() -> Any:
    """Return the module torch.

    Raises
    ------
    MissingPackage
        When torch is not installed, or a library that torch loads is missing. The message contains the command that
        installs torch.
    """
    try:
        import torch
    except (
        ImportError,
        OSError,
    ) as error:  # OSError: PyPI's build for Linux without CUDA's libraries
        raise MissingPackage(_REMEDY) from error
    return torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread inside the ``with`` block.

    Sums then have a fixed order, and small products are faster.
    """
    torch = need_torch()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
