"""The reference's measurements of hull machines on the digits beside ours, with the spread over seeds.

Writes docs/kahm_tables.md. A mean over few seeds has an error of its own: where one seed scatters by s, the
mean of k seeds by s/√k. A cell whose two means differ by more than 0.02 is judged by that error.
Takes some ten minutes on one core.
"""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from tests.dpcore.kahm import test_reference as reference  # noqa: E402
from tests.dpcore.kahm.conftest import _digits as digits  # noqa: E402

SEEDS = 20
CLOSE = 0.02
TARGET = ROOT / "docs" / "kahm_tables.md"
KAHM = ("KAHM, noisy", "KAHM, fabricated", "1-NN, noisy", "1-NN, fabricated", "class mean")
ATTACK = ("accuracy", "TV", "KS", "AUC", "linked")


@dataclass(frozen=True)
class Cell:
    """A number of the reference, a mean over ``k`` seeds, and ours for each of our seeds."""

    table: str
    row: str
    name: str
    sheet: float
    k: int
    ours: NDArray[np.float64]

    @property
    def spread(self) -> float:
        """The standard deviation of one seed."""
        return float(self.ours.std(ddof=1))

    @property
    def verdict(self) -> str:
        """Whether the two means agree, and if not closely, whether the seeds explain it."""
        gap = abs(float(self.ours.mean()) - self.sheet)
        error = self.spread * math.sqrt(1 / self.k + 1 / len(self.ours))
        if gap <= CLOSE:
            return "within 0.02"
        return f"{gap / error:.1f} standard errors" if gap <= 3 * error else "**differs**"


def cells() -> Iterator[Cell]:
    """Measure every cell."""
    seeds = range(SEEDS)
    for epsilon, row in reference.TABLE.items():
        found = reference.accuracies(digits, epsilon, seeds)
        yield from rows("accuracy", f"ε = {epsilon:g}", KAHM, row, 5, found)
    for epsilon, row in reference.STRONG.items():
        found = reference.accuracies(digits, epsilon, seeds, operator="rebuild")
        yield from rows("accuracy, rebuilt", f"ε = {epsilon:g}", KAHM, row, 5, found)
    for epsilon, row in reference.SUPPORT.items():
        found = reference.supported(digits, epsilon, seeds)
        yield from rows("SVM, rebuilt", f"ε = {epsilon:g}", ("noisy", "fabricated"), row, 3, found)
    for epsilon, row in reference.ATTACKS.items():
        found = reference.membership(digits, epsilon, seeds)
        for kind, name in enumerate(("noisy", "fabricated")):
            where = f"ε = {epsilon:g}, {name}"
            yield from rows("membership", where, ATTACK, row[kind], 5, found[:, kind])
    clean = reference.membership(digits, math.inf, seeds, rounds=0)[:, 0]
    yield from rows("membership", "original", ATTACK, reference.ORIGINAL, 5, clean)
    for case, (epsilon, skew, wanted) in reference.FEDERATED.items():
        for parties, score in wanted.items():
            found = reference.federated(digits, epsilon, skew, parties, seeds)[:, None]
            yield from rows(
                "federated", f"{case}, Q = {parties}", ("accuracy",), (score,), 3, found
            )


def rows(
    table: str, row: str, names: tuple[str, ...], sheet: tuple[float, ...], k: int,
    found: NDArray[np.float64],
) -> Iterator[Cell]:  # fmt: skip
    """Return the cells of one row; ``found`` is (seeds, cells or more)."""
    for n, (name, value) in enumerate(zip(names, sheet, strict=False)):
        yield Cell(table, row, name, value, k, found[:, n])


def markdown(found: list[Cell]) -> str:
    """Return the page."""
    count: Callable[[str], int] = lambda word: sum(word in cell.verdict for cell in found)  # noqa: E731
    lines = [
        "# Hull machines on the digits: the reference and ours",
        "",
        "Made by `python benchmarks/kahm_tables.py`. The reference is an independent prototype; its means are",
        f"over 5 seeds (SVM and federated: 3), ours over {SEEDS}. Its seeds are not ours, so a single draw cannot",
        "be compared. *one seed* is the standard deviation of one seed, *reference ±* what that makes of the",
        "reference's mean. A number of standard errors: the means differ by more than 0.02 and by that many.",
        "",
        f"Of {len(found)} numbers {count('within')} agree within 0.02, {count('standard')} differ by more but within",
        f"three standard errors of the difference, {count('differs')} differ beyond that.",
        "",
        "| table | row | number | reference | reference ± | ours, 5 seeds | ours | one seed | |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {cell.table} | {cell.row} | {cell.name} | {cell.sheet:.3f} | "
        f"{cell.spread / math.sqrt(cell.k):.3f} | {cell.ours[:5].mean():.3f} | {cell.ours.mean():.3f} | "
        f"{cell.spread:.3f} | {cell.verdict} |"
        for cell in found
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print as it goes, and write the page."""
    warnings.simplefilter("ignore")
    found = []
    for cell in cells():
        found.append(cell)
        print(f"{cell.table:18} {cell.row:34} {cell.name:18} {cell.sheet:.3f} {cell.ours[:5].mean():.3f} "
              f"{cell.ours.mean():.3f} {cell.spread:.3f} {cell.verdict}", flush=True)  # fmt: skip
    TARGET.write_text(markdown(found), "utf-8")


if __name__ == "__main__":
    main()
