"""Memory that is free goes back to the system, where it can be told to."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ui import memory

_PROGRAM = """
import sys
from ui import memory
if sys.argv[1] == "little":
    memory.keep_little()
def resident():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmRSS")).split()[1])
large = bytearray(24 * 2**20)
del large  # from here on such arrays lie in the heap, if nobody minds
before = resident()
many = [bytearray(2**21) for _ in range(32)]
last = bytearray(1000)
many.clear()
print(resident() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells what is resident")
def test_arrays_that_are_gone_take_no_memory():
    def kept(how):
        return int(
            subprocess.run(
                [sys.executable, "-c", _PROGRAM, how], capture_output=True, text=True, check=True,
                cwd=Path(__file__).resolve().parents[2],
            ).stdout
        )  # fmt: skip

    assert kept("little") < 8 * 1024  # of 64 MB
    memory.give_back()


def test_a_system_without_such_settings_goes_on_as_it_is(monkeypatch):
    monkeypatch.setattr(memory, "_glibc", lambda: SimpleNamespace())
    memory.keep_little()
    memory.give_back()
