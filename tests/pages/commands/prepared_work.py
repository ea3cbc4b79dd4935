"""Tasks for the tests of ``python -m pages prepare``: quick, slow, or failing, as environment variables say."""

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from dpcore import disk_cache
from pages.__main__ import main


@dataclass
class Quick:
    name: str

    @property
    def file(self):
        return disk_cache.result_file("quick", self.name, code="")

    def is_there(self):
        return disk_cache.read(self.file) is not None

    def make(self):
        with (Path(os.environ["MADE"])).open("a", encoding="utf-8") as made:
            made.write(f"{self.name}\n")
        if self.name == os.environ.get("SLOW"):
            time.sleep(600)
        if self.name == os.environ.get("BROKEN"):
            return ["it went wrong."]
        disk_cache.write(self.file, self.name)
        return []


def work():
    return [Quick(f"page {k}") for k in range(4)]


def prepare(*words):
    """Run the command ``prepare`` on these tasks instead of the pages' tasks."""
    return main(["prepare", *words], work=work)


if __name__ == "__main__":
    sys.exit(prepare(*sys.argv[1:]))
