"""Compare measurements of affine hull machines on the digits by this project with those of a prototype.

The prototype is an independent program, whose measurements are called the reference. This program writes
docs/kahm_tables.md. It states two of our means for every number of the reference: over the seeds of the
reference, and over 20 other seeds. The reference's seeds were reconstructed, except for the partition among
parties. A mean over k seeds has the standard error s/√k, for the standard deviation s over seeds. The program
takes about ten minutes on one core.
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

OTHERS = range(100, 120)
CLOSE = 0.02
TARGET = ROOT / "docs" / "kahm_tables.md"
KAHM = ("KAHM, noisy", "KAHM, fabricated", "1-NN, noisy", "1-NN, fabricated", "class mean")
ATTACK = ("accuracy", "TV", "KS", "AUC", "linked")


@dataclass(frozen=True)
class Cell:
    """One number of the reference, and our values for it.

    - ``sheet``: the number of the reference, a mean over ``k`` seeds.
    - ``same``: our mean over the same seeds.
    - ``ours``: our values for 20 other seeds.
    """

    table: str
    row: str
    name: str
    sheet: float
    k: int
    same: float
    ours: NDArray[np.float64]

    @property
    def spread(self) -> float:
        """Standard deviation of our values over the other seeds."""
        return float(self.ours.std(ddof=1))

    @property
    def verdict(self) -> str:
        """Text on how far our mean is from the reference: at most 0.02, some standard errors, or over three."""
        gap = abs(self.same - self.sheet)
        error = self.spread * math.sqrt(2 / self.k)
        if gap <= CLOSE + 5e-4:  # the reference's numbers are rounded
            return "within 0.02"
        return f"{gap / error:.1f} standard errors" if gap <= 3 * error else "**differs**"


def cells() -> Iterator[Cell]:
    """Measure our values for all numbers of the reference, and yield a cell for each number."""
    for e, row in reference.TABLE.items():
        found = [reference.accuracies(digits, e, seeds) for seeds in (range(5), OTHERS)]
        yield from rows("accuracy", f"ε = {e:g}", KAHM, row, found)
    for e, row in reference.STRONG.items():
        found = [reference.accuracies(digits, e, seeds, reference.LATER, operator="rebuild")
                 for seeds in (range(3), OTHERS)]  # fmt: skip
        yield from rows("accuracy, rebuilt", f"ε = {e:g}", KAHM, row, found)
    for e, row in reference.SUPPORT.items():
        found = [reference.supported(digits, e, seeds, reference.LATER)
                 for seeds in (range(3), OTHERS)]  # fmt: skip
        yield from rows("SVM, rebuilt", f"ε = {e:g}", ("noisy", "fabricated"), row, found)
    yield from attacked()
    for case, (e, skew, wanted) in reference.FEDERATED.items():
        for q, score in wanted.items():
            found = [reference.federated(digits, e, skew, q, seeds)[:, None]
                     for seeds in (range(3), OTHERS)]  # fmt: skip
            yield from rows("federated", f"{case}, Q = {q}", ("accuracy",), (score,), found)


def attacked() -> Iterator[Cell]:
    """Measure our values for the reference's table of membership attacks, and yield its cells."""
    for e, row in reference.ATTACKS.items():
        found = [reference.membership(digits, e, seeds) for seeds in (range(5), OTHERS)]
        for kind, name in enumerate(("noisy", "fabricated")):
            each = [one[:, kind] for one in found]
            yield from rows("membership", f"ε = {e:g}, {name}", ATTACK, row[kind], each)
    clean = [reference.membership(digits, math.inf, seeds, rounds=0)[:, 0]
             for seeds in (range(5), OTHERS)]  # fmt: skip
    yield from rows("membership", "original", ATTACK, reference.ORIGINAL, clean)


def rows(
    table: str, row: str, names: tuple[str, ...], sheet: tuple[float, ...],
    found: list[NDArray[np.float64]],
) -> Iterator[Cell]:  # fmt: skip
    """Yield the cells of one row of a table.

    ``found`` has our values for the reference's seeds and our values for other seeds, each as (seeds, cells).
    """
    same, others = found
    for n, (name, value) in enumerate(zip(names, sheet, strict=False)):
        yield Cell(table, row, name, value, len(same), float(same[:, n].mean()), others[:, n])


def markdown(found: list[Cell]) -> str:
    """Return the document docs/kahm_tables.md as Markdown."""
    count: Callable[[str], int] = lambda word: sum(word in cell.verdict for cell in found)  # noqa: E731
    lines = [
        "# Hull machines on the digits: the reference and ours",
        "",
        "The text of Kumar, Moser and Fischer at hand ends before their experiments and prints none of these "
        "numbers. *Reference* is",
        "an independent prototype of this project: agreement says that two programs do the same.",
        "",
        "Made by `python benchmarks/kahm_tables.py`. The reference is an independent prototype. *ours* is over the",
        f"reference's own splits and noise (*seeds*); *{len(OTHERS)} others* and *one seed* (standard deviation)",
        "are over others, and say how far such means scatter. Only who holds what among parties is a draw of",
        "our own: there the standard errors count.",
        "",
        f"Of {len(found)} numbers {count('within')} agree within 0.02, {count('standard')} differ by more but within",
        f"three standard errors, {count('differs')} differ beyond that.",
        "",
        f"| table | row | number | reference | seeds | ours | {len(OTHERS)} others | one seed | |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {cell.table} | {cell.row} | {cell.name} | {cell.sheet:.3f} | {cell.k} | {cell.same:.3f} | "
        f"{cell.ours.mean():.3f} | {cell.spread:.3f} | {cell.verdict} |"
        for cell in found
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print each cell when it is finished, and write the document."""
    warnings.simplefilter("ignore")
    found = []
    for cell in cells():
        found.append(cell)
        print(f"{cell.table:18} {cell.row:34} {cell.name:18} {cell.sheet:.3f} {cell.same:.3f} "
              f"{cell.ours.mean():.3f} {cell.spread:.3f} {cell.verdict}", flush=True)  # fmt: skip
    TARGET.write_text(markdown(found), "utf-8")


if __name__ == "__main__":
    main()
