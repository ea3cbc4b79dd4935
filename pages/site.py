"""Computation of the static site: its pages, and their states, which are figures with certain parameters."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from streamlit.logger import set_log_level

from dpcore.datasets import DataError
from pages import PAGES, specs
from ui.embed.guarantee_paragraph import guarantee_paragraph
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth
from ui.static_site.files import SiteFolder
from ui.static_site.states import PreparedPage

if TYPE_CHECKING:
    from pages.commands.workers import Workers

__all__ = [
    "DEPTHS",
    "Done",
    "Task",
    "code",
    "compute",
    "file_of",
    "on_site",
    "prepared_pages",
    "tasks",
]

DEPTHS = (Depth.LOOK, Depth.UNDERSTAND)
_ROOT = Path(__file__).resolve().parents[1]
_SOURCES = ("dpcore", "ui", "pages", "assets/texts")
_KINDS = (".py", ".toml", ".npz", ".csv", ".md", ".yaml")


@dataclass(frozen=True, order=True)
class Task:
    """Task to compute one state of a page (a figure with certain parameters) at one level of detail.

    ``place`` is the index of the state among the states of this page and level.
    """

    key: str
    depth: int
    place: int


@dataclass(frozen=True)
class Done:
    """A finished task.

    Parameters
    ----------
    task : Task
    file : str
        Path of the file with the computed state.
    was_there : bool
        Whether the state was already on disk, so that nothing was computed.
    problem : str
        Reason why the task failed, or "".
    seconds : float
        Time that the computation took.
    """

    task: Task
    file: str
    was_there: bool = False
    problem: str = ""
    seconds: float = 0.0


def prepared_pages(spec: PageSpec[Any]) -> list[PreparedPage]:
    """Return a page at each level of detail that the site has."""
    return [PreparedPage(spec, depth) for depth in DEPTHS]


def on_site(keys: Sequence[str] = PAGES) -> list[PageSpec[Any]]:
    """Return the pages among ``keys`` whose figures have prepared states."""
    return [
        spec
        for spec in specs()
        if isinstance(spec, PageSpec) and spec.site is not None and spec.key in keys
    ]


def code() -> str:
    """Return a digest of the program and of the data folder, on which the states depend."""
    digest = hashlib.sha256()
    for name in _SOURCES:
        for path in sorted((_ROOT / name).rglob("*")):
            if path.suffix in _KINDS:
                digest.update(str(path.relative_to(_ROOT)).encode() + path.read_bytes())
    data = os.environ.get("DPCORE_DATA")
    for path in sorted(Path(data).iterdir()) if data else ():
        digest.update(f"{path.name} {path.stat().st_size}".encode())
    return digest.hexdigest()[:24]


def tasks(pages: Sequence[PageSpec[Any]]) -> list[list[Task]]:
    """Return all tasks in groups.

    The tasks of a group have the same page and the same parameters at several levels of detail, and share results.
    """
    groups: list[list[Task]] = []
    for spec in pages:
        by_state: dict[tuple[tuple[str, str], ...], list[Task]] = {}
        for page in prepared_pages(spec):
            for place, params in enumerate(page.states):
                link = tuple(sorted(params.to_link().items()))
                by_state.setdefault(link, []).append(Task(spec.key, int(page.depth), place))
        groups += by_state.values()
    return groups


def compute(
    groups: Sequence[Sequence[Task]], folder: SiteFolder, digest: str, workers: Workers
) -> Iterator[Done]:
    """Compute the states that are not on disk; yield the outcome of each task, also of those already on disk."""
    set_log_level("error")  # pages ask for a session; here there is none, and none is needed
    if not workers.are_elsewhere:
        for group in groups:
            yield from _one_by_one(group, folder)
        return
    for _, done in workers.run(_elsewhere, [(group, folder.root, digest) for group in groups]):
        yield from done


def _elsewhere(group: Sequence[Task], root: Path, digest: str) -> list[Done]:
    set_log_level("error")
    return _one_by_one(group, SiteFolder(root, digest))


def _one_by_one(group: Sequence[Task], folder: SiteFolder) -> list[Done]:
    """Do the tasks of a group one after the other.

    Libraries such as BLAS are limited to one thread, since more threads wait for each other on a busy machine.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return list(_group(group, folder))


def _group(group: Sequence[Task], folder: SiteFolder) -> Iterator[Done]:
    for task in group:
        (spec,) = on_site([task.key])
        page = PreparedPage(spec, Depth(task.depth))
        params = page.states[task.place]
        file = file_of(page, params, folder)
        if folder.find(file):
            yield Done(task, file, was_there=True)
            continue
        began = perf_counter()
        try:
            state = page.computed(params)
            usual = params == spec.params()
            words = guarantee_paragraph(spec, state) if usual else ""
            folder.put(file, page.figure(state), words)
        except (ValueError, DataError) as error:
            yield Done(task, file, problem=f"{task.key}?{params.to_link()}: {error}")
        else:
            yield Done(task, file, seconds=perf_counter() - began)


def file_of(page: PreparedPage, params: Any, folder: SiteFolder) -> str:
    """Return the path of the file for a page's state with the parameters ``params``."""
    return folder.name_of(page.spec.key, page.depth.name, repr(params))
