"""Simulated phones of a class in one process of Node, which run the script of the phones' page.

`tests/js/phones.js` has the program of this process.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from ui.web.js_bundle import bundle

__all__ = ["NODE", "Phones", "phones", "until"]
ROOT = Path(__file__).resolve().parents[3]
NODE = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
_PATIENCE = float(
    os.environ.get("DPCORE_PATIENCE", "300")
)  # seconds, on a machine that does much else


def until(look, holds):
    """Call ``look`` repeatedly until ``holds`` is true of its result; return this result."""
    end = time.monotonic() + _PATIENCE
    while not holds(seen := look()):
        assert time.monotonic() < end, seen
        time.sleep(0.2)
    return seen


class Phones:
    """The simulated phones of a class: their actions, displayed words, and memory."""

    def __init__(self, process):
        self._process = process

    def _tell(self, act, given):
        self._process.stdin.write(json.dumps({"act": act, "given": given}) + "\n")
        self._process.stdin.flush()
        seen = json.loads(self._process.stdout.readline())
        assert [problem for phone in seen for problem in phone["problems"]] == []
        return seen

    def look(self):
        """Return the state of each phone: displayed words, memory, and last message."""
        return self._tell("state", {})

    def give(self, answers):
        """Let phones answer: with a button, with several buttons one after the other, or with the fields of a form.

        ``answers`` are by number of the phone.
        """
        self._tell("give", answers)

    def deafen(self, chosen):
        """Let these phones receive no responses until their connection breaks."""
        self._tell("deafen", dict.fromkeys(chosen))

    def disconnect(self, chosen):
        """Break the connections of these phones, which open them again."""
        self._tell("disconnect", dict.fromkeys(chosen))

    def until(self, holds):
        """Wait until ``holds`` is true of every phone; return the state of each phone."""
        return until(self.look, lambda seen: all(map(holds, seen)))


@contextmanager
def phones(address, code, number, folder):
    """Let a class of ``number`` phones join a room by its code; yield the phones."""
    script = folder / "phone.js"
    script.write_bytes(bundle(ROOT / "assets" / "room" / "phone.js", Path.read_bytes))
    asked = [
        NODE,
        str(ROOT / "tests" / "js" / "phones.js"),
        str(script),
        address,
        code,
        str(number),
    ]
    with subprocess.Popen(
        asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Phones(process)
        finally:
            process.kill()
