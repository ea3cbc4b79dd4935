"""The pipes of a process belong to its messages alone: libraries that read or print find nothing."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os, sys, threading
from dpcore._console import take_pipe
pipe, out = take_pipe(sys.stdin, "rb"), take_pipe(sys.stdout, "wb")
threading.Thread(target=pipe.read, daemon=True).start()  # waits for the parent process
seen = sys.stdin.read(), os.read(0, 10), os.fstat(0).st_rdev == os.stat(os.devnull).st_rdev
print("printed", flush=True)
os.write(1, b"written")
out.write(repr(seen).encode())
"""


def test_a_thread_that_waits_for_the_input_holds_up_nobody_and_prints_go_nowhere():
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.read() == repr(("", b"", os.name == "posix")).encode()
