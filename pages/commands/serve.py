"""Command ``python -m pages serve``: serve the application, and open it in the browser."""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path

import dpcore
from dpcore import disk_cache
from dpcore.journal import Refused
from ui.server import interrupt

__all__ = ["add_to", "address", "choose_port", "options", "run"]

_ROOT = Path(__file__).resolve().parents[2]
_PORT, _PORTS = 8501, 20  # the usual port; how many from there on are tried
_PATIENCE, _LOOK = 300.0, 0.1  # seconds in which the server has to answer; between two looks
_DATA = "DPCORE_DATA"
_HERE = "localhost"
_EVERYWHERE = ("", "0.0.0.0", "::")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parser of ``serve`` to the subparsers ``commands`` of ``python -m pages``."""
    parser = commands.add_parser("serve", help="serve the pages and open the browser (the default)")
    add = parser.add_argument
    add("--port", type=int, help=f"default: the first free one from {_PORT} on")
    add("--host", default=_HERE, help="0.0.0.0 serves other computers too (default: localhost)")
    add("--data", type=Path, metavar="DIR", help="folder with more data sets")
    add("--no-browser", action="store_true", help="open no browser")


def run(args: argparse.Namespace) -> int:
    """Serve the application until it is stopped; return an exit status.

    Raises
    ------
    Refused
        When the port, the host, the folder of data or a setting cannot be used. The message states the reason.
    """
    if args.data is not None:
        os.environ[_DATA] = str(_checked_folder(args.data))
    port = choose_port(args.host, args.port)
    for name, value in options().items():
        os.environ.setdefault(name, value)
    _check_settings()
    told = threading.Thread(
        target=_announce, args=[address(args.host, port), not args.no_browser], daemon=True
    )
    told.start()
    return _serve(args.host, port)


def options() -> dict[str, str]:
    """Return default values of environment variables, for a server that one person starts.

    With these values the server prepares missing results while it runs, and draws each page once before anybody
    opens it. It also reads the results that came with an installed application.
    """
    table = {"DPCORE_AHEAD": "1", "DPCORE_PREPARE": "1"}
    shipped = _ROOT / "prepared"
    return {**table, disk_cache.SHIPPED: str(shipped)} if shipped.is_dir() else table


def choose_port(host: str, port: int | None) -> int:
    """Return the port to listen on: ``port`` if it is free, or the first free usual port if it is None.

    Raises
    ------
    Refused
        When the port is taken or impossible, or when ``host`` is not an address of this computer.
    """
    if port is not None:
        if not 1 <= port <= 65535:
            raise Refused(f"--port {port}: give a number from 1 to 65535.")
        if not _is_free(host, port):
            raise Refused(f"--port {port}: this port is taken; give another, or none.")
        return port
    for candidate in range(_PORT, _PORT + _PORTS):
        if _is_free(host, candidate):
            return candidate
    raise Refused(
        f"The ports from {_PORT} to {_PORT + _PORTS - 1} are taken: give another with --port."
    )


def _is_free(host: str, port: int) -> bool:
    try:
        family, kind, _, _, place = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as probe:
            if os.name == "posix":  # elsewhere this option would share a port that is taken
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        if isinstance(error, PermissionError):
            raise Refused(
                f"--port {port}: this account may not use it ({error.strerror}); "
                "give a number from 1024 on."
            ) from error
        raise Refused(
            f"--host {host}: no address of this computer ({error.strerror}); give localhost, or 0.0.0.0 "
            "for all of its addresses."
        ) from error
    return True


def _checked_folder(path: Path) -> Path:
    try:
        next(path.iterdir(), None)
    except OSError as error:
        raise Refused(
            f"--data {path}: this folder cannot be read ({error.strerror}); give one with data sets, "
            "or leave --data out."
        ) from error
    return path.resolve()


def _check_settings() -> None:
    """Check settings in environment variables before the server starts.

    The check imports the server's modules, which takes some seconds.
    """
    from ui.server import application

    try:
        application.check_settings()
    except Refused:
        raise
    except ValueError as error:
        raise Refused(str(error)) from error


def address(host: str, port: int) -> str:
    """Return the URL under which a browser on this computer reaches the server."""
    shown = _HERE if host in _EVERYWHERE else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _announce(url: str, browser: bool) -> None:
    """Print the URL as soon as the server answers, and open it in the browser if ``browser`` is true."""
    started = time.monotonic()
    while not _answers(url):
        if time.monotonic() - started > _PATIENCE:
            return
        time.sleep(_LOOK)
    print(f"DP Explorer {dpcore.__version__}: {url} (Ctrl-C ends it)", flush=True)
    if browser and _has_screen():
        webbrowser.open(url)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
            return True
    except OSError:
        return False


def _has_screen() -> bool:
    """Return whether there is a screen for a browser.

    On Linux without a screen, a text browser might start in the terminal.
    """
    return not sys.platform.startswith("linux") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )


def _serve(host: str, port: int) -> int:
    from click.exceptions import Abort
    from streamlit.web import cli

    command = [
        "run", str(_ROOT / "app.py"), "--server.port", str(port), "--server.address", host or "0.0.0.0",
        "--logger.hideWelcomeMessage", "true",
    ]  # fmt: skip
    try:
        cli.main(command, prog_name="streamlit", standalone_mode=False)
    except (KeyboardInterrupt, Abort):  # click turns the first into the second
        interrupt.say_stopped()
        sys.stdout.flush()
        os._exit(
            interrupt.INTERRUPTED
        )  # threads that compute would hold up another end, or abort it
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 1
    return 0
