"""Run the tasks of a command in other processes: on this machine, or on the workers of a Dask scheduler."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from secrets import token_hex
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

from dpcore.journal import Refused

__all__ = ["Workers", "add_to"]

_R = TypeVar("_R")
_SECONDS = 30
_DATA = "DPCORE_DATA"
_SCHEMES = ("tcp://", "tls://", "ucx://", "ws://", "wss://")


def add_to(parser: Any) -> None:
    """Add ``--jobs`` and ``--scheduler`` to a command's parser."""
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="processes on this machine (default: 1)"
    )
    parser.add_argument(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="address of a Dask scheduler, whose workers share the program, the data and the folder",
    )


@dataclass(frozen=True, kw_only=True)
class Workers:
    """Processes that run tasks.

    Parameters
    ----------
    jobs : int
        Number of processes on this machine.
    scheduler : str, optional
        Address of a Dask scheduler. Its workers run the tasks, and ``jobs`` has no effect. If a worker is killed,
        another worker runs its task again.
    folder : Path
        Folder to which the tasks write. Workers of a cluster need it under the same path.
    environment : mapping of str to str
        Environment variables that the tasks read, in addition to DPCORE_DATA.
    """

    jobs: int
    scheduler: str | None
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise Refused(f"--jobs {self.jobs}: give a number of processes from 1 on.")
        if self.scheduler is not None and not self.scheduler.startswith(_SCHEMES):
            raise Refused(f"--scheduler {self.scheduler}: give an address like tcp://host:8786.")

    @property
    def are_elsewhere(self) -> bool:
        """Whether tasks run outside of the command's process."""
        return self.jobs > 1 or self.scheduler is not None

    def run(
        self, function: Callable[..., _R], arguments: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[int, _R]]:
        """Call a function with each tuple of ``arguments``; yield the tuple's index and the result as calls finish.

        Other processes find the function by its name, so it must be defined at the top level of a module.

        Raises
        ------
        Refused
            When the scheduler does not answer, or when a worker has another version of the program, another data
            folder, or no access to the output folder.
        """
        if self.scheduler is None:
            yield from self._on_this_machine(function, arguments)
        else:
            yield from self._on_cluster(function, arguments)

    def _on_this_machine(
        self, function: Callable[..., _R], arguments: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[int, _R]]:
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn")) as pool:
            places = {pool.submit(function, *values): k for k, values in enumerate(arguments)}
            try:
                for future in as_completed(places):
                    yield places[future], future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _on_cluster(
        self, function: Callable[..., _R], arguments: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[int, _R]]:
        try:
            import distributed
        except ImportError as error:
            raise Refused(
                "--scheduler needs Dask, which is not installed: pip install 'dask[distributed]'."
            ) from error
        try:
            client = distributed.Client(self.scheduler, timeout=_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise Refused(
                f"--scheduler {self.scheduler}: no scheduler answers there ({error})."
            ) from error
        with client, NamedTemporaryFile(dir=self.folder, prefix=".workers-") as marker:
            environment = {_DATA: os.environ[_DATA]} if _DATA in os.environ else {}
            settings = _Settings(digest(), Path(marker.name), environment | dict(self.environment))
            label = f"dp-explorer-{token_hex(4)}"  # a scheduler gives equal keys one result
            places = {
                client.submit(
                    _checked, settings, function, values, key=f"{label}-{k}", pure=False
                ): k
                for k, values in enumerate(arguments)
            }
            try:
                for future in distributed.as_completed([*places], loop=client.loop):  # type: ignore[no-untyped-call]
                    yield places[future], future.result()
            except distributed.scheduler.KilledWorker as error:
                raise Refused(f"A task ended its workers again and again: {error}") from error
            except BaseException:
                client.cancel([*places], force=True)  # type: ignore[no-untyped-call]
                raise


@dataclass(frozen=True)
class _Settings:
    """Settings that a worker must have in common with the command.

    - ``digest``: digest of the program and of the data folder.
    - ``marker``: file in the folder to which the tasks write.
    - ``environment``: environment variables that the tasks read.
    """

    digest: str
    marker: Path
    environment: dict[str, str]


def _checked(settings: _Settings, function: Callable[..., _R], arguments: tuple[Any, ...]) -> _R:
    """Call a function on a worker of a cluster, after a check that the worker gives the same results as the command.

    Raises `Refused` if the check fails.
    """
    os.environ.update(settings.environment)
    if not settings.marker.exists():
        raise Refused(
            f"A worker does not see the folder {settings.marker.parent}: it must be shared by all workers."
        )
    if digest() != settings.digest:
        raise Refused(
            "A worker has another program, or another data folder, than this command: install the same version."
        )
    return function(*arguments)


@cache
def digest() -> str:
    """Return a digest of the program and of the data folder, on which results depend."""
    from pages.site import code

    return code()
