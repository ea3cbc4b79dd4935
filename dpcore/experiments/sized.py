"""Results that know how large they are."""

from __future__ import annotations

__all__ = ["Sized"]


class Sized:
    """A result whose size is that of its fields that have one."""

    @property
    def nbytes(self) -> int:
        """Bytes of the fields, for bounded caches."""
        return sum(getattr(value, "nbytes", 0) for value in vars(self).values())
