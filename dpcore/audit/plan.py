"""Work plan of an audit, which consists of independent chunks of releases that processes may run in any order.

The processor time of one release is measured. A mechanism with a quick release is run ten times as often.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import dpcore
from dpcore import __version__, _checks
from dpcore._random_state import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit.worlds import Worlds

__all__ = ["Chunk", "Plan", "chunks", "release_seconds", "source_digest"]

_QUICK = 5e-3  # seconds of processor time
_CHUNK = 20, 2000  # releases in a piece of work, of usual and of quick ones


class Chunk(NamedTuple):
    """Part of the releases of an audit, which are run together.

    - ``name`` is the name of the audit.
    - ``use`` is "count" if errors are counted in the releases, and "choose" if they are used to choose the threshold.
    - ``canary`` is True if the data set contains the canary.
    - ``part`` is the number of the chunk, and ``size`` is the number of its releases.
    """

    name: str
    use: str
    canary: bool
    part: int
    size: int

    @property
    def key(self) -> str:
        """Key of the chunk in the journal, composed of ``name``, ``use``, ``canary`` and ``part``."""
        return f"{self.name}|{self.use}|{'with' if self.canary else 'without'}|{self.part}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Settings of an audit, such as the number of trainings, the seed and the probability of false alarms.

    Parameters
    ----------
    trainings : int
        Number ≥ 4 of trainings on each data set in which errors are counted. If theory gives no threshold, half as
        many additional trainings are used to choose it.
    many : int
        Factor ≥ 1 by which ``trainings`` is multiplied if one release takes less than 5 ms.
    seed : int
        Seed of all noise, ≥ 0.
    false_alarms : float
        Upper bound on the probability that at least one true claim is called broken (Bonferroni).
    claims : int
        Number of claims that share ``false_alarms``, ≥ 1.
    """

    trainings: int = 1000
    many: int = 10
    seed: int = 1
    false_alarms: float = 1e-3
    claims: int = 1

    def __post_init__(self) -> None:
        _checks.integer("trainings", self.trainings, low=4, high=10**7)
        _checks.integer("many", self.many, low=1, high=1000)
        _checks.integer("seed", self.seed, low=0)
        _checks.integer("claims", self.claims, low=1)
        _checks.number(
            "false_alarms", self.false_alarms, low=0, high=1, open_low=True, open_high=True
        )

    @property
    def strict(self) -> float:
        """Confidence required of a single verdict.

        At this confidence, the probability that any true claim is called broken is at most ``false_alarms``.
        """
        return 1 - self.false_alarms / self.claims

    def counted(self, seconds: float) -> int:
        """Return the number of releases on each data set in which errors are counted.

        ``seconds`` is the processor time of one release.
        """
        return self.trainings * (self.many if seconds < _QUICK else 1)

    def mark(self) -> dict[str, object]:
        """Return the settings of the plan and the digest of the source code, which identify a run in its journal."""
        return {
            "seed": self.seed, "trainings": self.trainings, "many": self.many,
            "version": __version__, "source": source_digest(),
        }  # fmt: skip


@cache
def source_digest() -> str:
    """Return a hexadecimal SHA-256 digest of the source code of `dpcore`."""
    root = Path(dpcore.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(f"{path.relative_to(root).as_posix()} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def release_seconds(worlds: Worlds) -> float:
    """Return the processor time in seconds of one release.

    The result is the smallest time of five releases, after two releases for compilation. Other load on the machine
    can only increase a measured time.
    """
    rng, times = np.random.default_rng(0), []
    with unwarned(SeededNoiseWarning):
        for i in range(7):
            start = time.process_time()
            worlds.release(i % 2 == 0, rng)
            times.append(time.process_time() - start)
    return min(times[2:])


def chunks(worlds: Worlds, plan: Plan, counted: int) -> list[Chunk]:
    """Return the chunks of one audit; errors are counted in ``counted`` releases on each data set.

    If theory does not give the threshold for `two_worlds`, half as many additional releases are used to choose it.
    For Gaussian mechanisms theory gives only the threshold for `gaussian_bound`.
    """
    choosing = counted // 2 if worlds.threshold is None or worlds.gaussian else 0
    size = _CHUNK[counted > plan.trainings]
    return [
        Chunk(worlds.name, use, canary, start // size, min(size, total - start))
        for use, total in (("choose", choosing), ("count", counted))
        for start in range(0, total, size)
        for canary in (False, True)
    ]
