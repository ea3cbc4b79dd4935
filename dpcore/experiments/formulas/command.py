"""``python -m dpcore verdicts``: compute every verdict and write them into a file."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

__all__ = ["add_to", "run"]


def add_to(commands: Any) -> None:
    """Add the command to a parser's."""
    parser = commands.add_parser(
        "verdicts", help="compute the verdict on every printed formula from its evidence"
    )
    parser.add_argument("--out", type=Path, required=True, help="a .json file")


def run(given: argparse.Namespace) -> int:
    """Run every evidence function and write the verdicts."""
    from dpcore.experiments.formulas.evidence import judge

    found = {name: asdict(one) for name, one in judge().items()}
    text = json.dumps(found, ensure_ascii=False, indent=1)
    given.out.write_text(text + "\n", encoding="utf-8")
    return 0
