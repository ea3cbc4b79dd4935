"""Measure the import times of dpcore and numpy in new processes.

The last line printed is JSON.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def seconds(module: str) -> float:
    """Return the median time to import a module over nine new processes, in seconds."""
    found = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM.format(module)],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout
        for _ in range(9)
    ]  # fmt: skip
    return statistics.median(map(float, found))


def main() -> None:
    """Measure and print the import times of the package, its parts and numpy."""
    modules = ("numpy", "dpcore", "dpcore.accounting", "dpcore.lvq", "dpcore.datasets")
    figures = {module: round(seconds(module), 3) for module in modules}
    for module, span in figures.items():
        print(f"{module:20}{span:8.3f} s   {span / figures['numpy']:5.1f} x numpy")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
