"""What both wheels have to do where they are installed, without the project: ``python -I smoke.py VERSION``.

A private classifier is fitted. ``dp-explorer`` starts in an empty folder with an empty cache, answers its health
check, serves the document that pages are drawn in, and ends by Ctrl-C. What it took is printed.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PATIENCE = 120.0


def fitted(version: str) -> str:
    """Fit a private classifier with the installed library; return a sentence about it."""
    import dpcore

    assert dpcore.__version__ == version, dpcore.__version__
    assert "site-packages" in str(dpcore.__file__), dpcore.__file__
    X, y = [[-1.0], [-0.8], [0.8], [1.0]] * 50, [0, 0, 1, 1] * 50
    start, computed = time.perf_counter(), time.process_time()
    model = dpcore.DPGLVQ(
        epsilon=4.0, bounds=(-1, 1), expected_n=200, classes=[0, 1], sample_rate=0.1
    ).fit(X, y)
    assert model.privacy_.status == "proved", model.privacy_
    assert model.score(X, y) > 0.9
    took, computed = time.perf_counter() - start, time.process_time() - computed
    return f"DPGLVQ was compiled and fitted in {took:.1f} s ({computed:.1f} s of processor time)."


def asked(address: str) -> bytes:
    """Return what a server answers, as soon as it does."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bytes(answer.read())
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def served(version: str, home: str) -> str:
    """Start the application in an empty folder and ask it; return a sentence about it."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    hidden = ("PYTHON", "DPCORE_")
    known = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    known |= {"DPCORE_CACHE": f"{home}/cache", "NUMBA_CACHE_DIR": f"{home}/numba"}
    command = Path(sys.executable).with_name("dp-explorer")
    said = subprocess.run(
        [command, "--version"], capture_output=True, text=True, check=True, env=known
    )
    assert version in said.stdout, said.stdout
    start = time.perf_counter()
    with subprocess.Popen([command, "--port", str(port)], cwd=home, env=known) as server:
        try:
            asked(f"http://localhost:{port}/healthz")
            healthy = time.perf_counter() - start
            page = asked(f"http://localhost:{port}/")
            assert b"<title>" in page, page[:500]
            shown = time.perf_counter() - start
        finally:
            server.send_signal(signal.SIGINT)
    assert server.returncode == 130, server.returncode
    return (
        f"dp-explorer was healthy after {healthy:.1f} s, served its document after {shown:.1f} s, "
        "and ended by Ctrl-C."
    )


def main(version: str) -> None:
    """Print what works; end with an AssertionError at what does not."""
    print(fitted(version))
    with tempfile.TemporaryDirectory() as home:
        print(served(version, home))


if __name__ == "__main__":
    main(*sys.argv[1:])
