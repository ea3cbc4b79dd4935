"""Measure how many visits of the static site one processor core serves: by nginx, else by Python's file server.

A visit fetches a page and everything that its first figure waits for: style sheets, script, font, the state and its
arrays. Several clients visit the pages in turn. What counts is the processor time of the server, not that of the
clients, which share the machine with it.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.browser.serving import free_port, wait_for

_LINK = re.compile(r'(?:href|src)="([^"#?:]+)"')
_TICKS = os.sysconf("SC_CLK_TCK")
_CONFIG = """
{user}daemon off; worker_processes 1; pid {home}/nginx.pid; error_log {home}/error.log;
events {{ worker_connections 512; }}
http {{
  types {{ text/html html; text/css css; application/javascript js; image/svg+xml svg; font/woff2 woff2; }}
  access_log off; sendfile on; gzip on; gzip_types text/css application/javascript; keepalive_requests 100000;
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("site", type=Path, help="folder of a site, as `python -m pages site` writes it")
    add("--seconds", type=float, default=20, help="how long the clients visit (20)")
    add("--clients", type=int, default=8, help="clients at a time (8)")
    return parser.parse_args(given)


@contextmanager
def served(root: Path) -> Iterator[tuple[str, int, subprocess.Popen[bytes]]]:
    """Serve a folder; yield the server's name, its port and its process."""
    port, nginx = free_port(), shutil.which("nginx")
    with TemporaryDirectory() as home:
        if nginx:
            config = Path(home, "nginx.conf")
            user = "user root; " if os.geteuid() == 0 else ""
            config.write_text(_CONFIG.format(user=user, home=home, port=port, root=root), "utf-8")
            name, command = "nginx", [nginx, "-p", home, "-c", str(config)]
        else:
            name = "Python's file server"
            command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
        process = subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL)
        try:
            wait_for(f"http://127.0.0.1:{port}/index.html", process)
            yield name, port, process
        finally:
            process.terminate()
            process.wait(20)


def visits_of(root: Path) -> list[list[str]]:
    """Return the files that a visit of each page fetches; pages without a first figure are left out."""
    visits = []
    for page in sorted(root.glob("*.html")):
        files = [
            path
            for path in dict.fromkeys(_LINK.findall(page.read_text("utf-8")))
            if not path.endswith(".html")
        ]
        if any(path.startswith("states/") for path in files):
            fonts = [path.relative_to(root).as_posix() for path in root.glob("site-*/font.woff2")]
            visits.append([page.name, *files, *fonts])
    return visits


def cpu_of(process: subprocess.Popen[bytes]) -> float:
    """Return the processor seconds of a process and of its children that run."""
    children = (
        Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
    )
    ticks = 0
    for pid in (process.pid, *children):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / _TICKS


def visit(port: int, visits: list[list[str]], first: int, until: float, done: list[int]) -> None:
    """Visit the pages in turn until a time, each with a connection of its own; note the bytes of each visit."""
    place = first
    while time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        received = 0
        for path in visits[place % len(visits)]:
            connection.request("GET", f"/{path}", headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            received += len(answer.read())
            if answer.status != 200:
                raise SystemExit(f"{path}: {answer.status}")
        connection.close()
        done.append(received)
        place += 1


def main() -> None:
    """Visit, and print one JSON object."""
    options = arguments()
    visits = visits_of(options.site)
    if not visits:
        raise SystemExit(
            f"{options.site} has no page with a figure: write one by python -m pages site."
        )
    with served(options.site.resolve()) as (name, port, process):
        done: list[int] = []
        before, start = cpu_of(process), time.monotonic()
        until = start + options.seconds
        clients = [
            threading.Thread(target=visit, args=(port, visits, k, until, done))
            for k in range(options.clients)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        used, passed = cpu_of(process) - before, time.monotonic() - start
    print(
        json.dumps({
            "server": name,
            "pages": len(visits),
            "visits": len(done),
            "kilobytes_a_visit": round(sum(done) / len(done) / 1e3, 1),
            "visits_a_minute": round(60 * len(done) / passed),
            "server_milliseconds_a_visit": round(1e3 * used / len(done), 2),
            "visits_a_minute_and_core": round(60 * len(done) / used) if used else None,
        })
    )  # fmt: skip


if __name__ == "__main__":
    main()
