"""Files of a static site: states and arrays, each written once, atomically, and found again by a later run."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ui.live import Figure
from ui.live.array_files import Store
from ui.live.transport import Delivery, message

__all__ = ["ARRAYS", "PACKED", "STATES", "SiteFolder", "State"]

ARRAYS, STATES = "arrays", "states"
PACKED = ".packed"
"""Ending of files that the browser unpacks itself, so that any web server can send them as they are."""
_PLACE = 2**30  # bytes of the arrays of one figure


@dataclass(frozen=True, kw_only=True)
class State:
    """A state on disk.

    - ``file``: path of its message in the site.
    - ``first``: paths of the array files that the first view waits for.
    - ``others``: paths of its other array files.
    - ``words``: HTML below the figure, "" for none.
    """

    file: str
    words: str = ""
    first: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of all files of the state."""
        return (self.file, *self.first, *self.others)


class SiteFolder:
    """Folder of a static site.

    Parameters
    ----------
    root : Path
        The folder. It is created if it is missing.
    code : str
        Digest of everything on which the content of states depends, apart from their parameters.
    """

    def __init__(self, root: Path, code: str) -> None:
        self.root, self._code = root, code
        for name in (ARRAYS, STATES):
            (root / name).mkdir(parents=True, exist_ok=True)

    def name_of(self, *key: str) -> str:
        """Return the path of a state's message, from the texts that identify the state."""
        digest = hashlib.blake2b("\n".join((self._code, *key)).encode(), digest_size=12)
        return f"{STATES}/{digest.hexdigest()}{PACKED}"

    def find(self, file: str) -> State | None:
        """Return the state with this path if it and all its arrays are on disk, else None."""
        try:
            content = json.loads(gzip.decompress((self.root / file).read_bytes()))
        except (OSError, EOFError, ValueError):
            return None
        state = _state(file, content)
        return state if all((self.root / name).is_file() for name in state.files) else None

    def put(self, file: str, figure: Figure, words: str = "") -> State:
        """Write the arrays of a state, then its message, which contains the HTML below the figure."""
        store = Store(_PLACE)
        payload = message(figure, Delivery(store=store, path=ARRAYS))
        files = []
        for entry in payload["files"]:
            url = f"{entry['url']}{PACKED}"
            if not (self.root / url).is_file():
                self.write(url, store.packed(entry["url"]))
            files.append({**entry, "url": url})
        content = {**payload, "files": files, "words": words}
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
        self.write(file, gzip.compress(text, 9, mtime=0))
        return _state(file, content)

    def write(self, path: str, content: bytes) -> None:
        """Write a file atomically; its folder is created if it is missing."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        part.write_bytes(content)
        part.replace(target)

    def size(self, paths: Iterable[str]) -> int:
        """Return the total number of bytes of files, each counted once."""
        return sum((self.root / path).stat().st_size for path in set(paths))

    def remove_others(self, used: Iterable[str]) -> int:
        """Remove states and arrays that are not in ``used``; return how many."""
        known, removed = set(used), 0
        for name in (ARRAYS, STATES):
            for path in (self.root / name).iterdir():
                if f"{name}/{path.name}" not in known:
                    path.unlink()
                    removed += 1
        return removed


def _state(file: str, content: Mapping[str, Any]) -> State:
    entries = content["files"]
    return State(
        file=file,
        words=content["words"],
        first=tuple(entry["url"] for entry in entries if not entry["purpose"]),
        others=tuple(entry["url"] for entry in entries if entry["purpose"]),
    )
