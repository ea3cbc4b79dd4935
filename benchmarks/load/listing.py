"""List of the pages that a server has."""

from __future__ import annotations

from benchmarks.load.reader import Reader

__all__ = ["pages"]


async def pages(address: str) -> list[str]:
    """Return the paths of the application's pages, as reported by the running application."""
    reader = Reader(address, "")
    await reader.open()
    try:
        await reader.until(lambda: reader.pages, 60)
    finally:
        await reader.close()
    return reader.pages
