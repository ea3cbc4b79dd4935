"""Command ``python -m pages handout FILE``: write the figures of a lesson to one HTML file that needs no server."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dpcore._command import show
from dpcore.journal import Refused

__all__ = ["add_to", "run"]


def add_to(commands: Any) -> None:
    """Add the parser of ``handout`` to the subparsers ``commands`` of ``python -m pages``."""
    parser = commands.add_parser(
        "handout", help="write a lesson's figures into one interactive file that needs no server"
    )
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a lesson, YAML or JSON: the page Teach writes it")
    add("--out", type=Path, help="the file to write (default: FILE with the ending .html)")
    add("--address", default="", help="where the app is served: links to it are written")


def run(args: argparse.Namespace) -> int:
    """Write the handout to the requested file and return 0.

    Raises
    ------
    Refused
        When the lesson or a folder cannot be used. The message states the reason.
    """
    from pages.handout import write

    out = args.out or args.file.with_suffix(".html")
    if args.address and not args.address.startswith(("http://", "https://")):
        raise Refused(f"--address {args.address}: give one like https://dp.example.org.")
    try:
        text = args.file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{args.file} cannot be read: {error}.") from error
    try:
        page = write(text, args.address, show)
        out.write_text(page, encoding="utf-8")
    except (ValueError, OSError) as error:
        raise Refused(f"{args.file}: {error}") from error
    print(f"{out}: {len(page.encode()) // 1000} kB")
    return 0
