"""Memory that is free goes back to the system, where it can be told to."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ui.server import malloc_trim

_PROGRAM = """
import sys
from ui.server import malloc_trim
if sys.argv[1] == "little":
    malloc_trim.set_thresholds()
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
                cwd=Path(__file__).resolve().parents[3],
            ).stdout
        )  # fmt: skip

    assert kept("little") < 8 * 1024  # of 64 MB
    malloc_trim.trim()


def test_a_system_without_such_settings_goes_on_as_it_is(monkeypatch):
    monkeypatch.setattr(malloc_trim, "_glibc", lambda: SimpleNamespace())
    malloc_trim.set_thresholds()
    malloc_trim.trim()
