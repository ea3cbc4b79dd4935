"""Error for an optional package that is not installed."""

__all__ = ["MissingPackage"]


class MissingPackage(ImportError):
    """Error: an optional package cannot be loaded; the message says how to install it."""
