"""Command ``python -m dpcore audit``: compare every stated ε with the lower bound shown by an attack."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from dpcore.audit import checks
from dpcore.audit.findings import as_csv, as_text
from dpcore.audit.registry import all_worlds, find_worlds
from dpcore.audit.run import Plan, audit
from dpcore.journal import Refused

__all__ = ["add_to", "run"]


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parser of the command to the subcommands of an argparse parser."""
    parser = commands.add_parser(
        "audit",
        help="attack every claimed ε; started again with the same --out, it goes on where it was",
        description="Exit code 1 when a claim that is called proved is broken.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="part of a name; all for none")
    parser.add_argument(
        "--trainings", type=int, default=1000,
        help="counted in each world, ten times as many under 5 ms (default: 1000)",
    )  # fmt: skip
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--out", type=Path, help="a .csv file, or a Markdown table: any other name")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--checks", action="store_true", help="the deterministic checks instead: one run each"
    )
    parser.add_argument("--list", action="store_true", help="say what would be attacked, and stop")


def run(args: argparse.Namespace) -> int:
    """Run the command and return its exit code: 1 if a proved claim is refuted or a check fails, else 0.

    Raises
    ------
    Refused
        When the arguments are not valid together.
    """
    if args.checks:
        return _run_checks(args)
    try:
        every = find_worlds(args.names)
        plan = Plan(trainings=args.trainings, seed=args.seed, claims=max(len(all_worlds()), 1))
        if args.jobs < 1:
            raise ValueError(f"--jobs {args.jobs} is not allowed: give at least 1.")
    except ValueError as error:
        raise Refused(str(error)) from error
    if args.list:
        for one in every:
            print(f"{one.name}\n  {one.neighbours}\n  {one.canary}\n  {one.score}")
        return 0
    order = {one.name: i for i, one in enumerate(every)}
    journal = args.out.with_name(args.out.name + ".journal") if args.out else None
    findings = list(audit(every, plan, journal=journal, n_jobs=args.jobs, tell=_tell))
    findings.sort(key=lambda finding: order[finding.name])
    if args.out:
        text = as_csv(findings) if args.out.suffix == ".csv" else as_text(findings) + "\n"
        args.out.write_text(text, encoding="utf-8")
    print(as_text(findings))
    print(
        f"{len(findings)} claims. bound, gaussian: at 95 % each; strict: all verdicts together err with a chance "
        f"below {plan.false_alarms:g}; ceiling: the most that n trainings can show."
    )
    return int(any(finding.broken for finding in findings))


def _run_checks(args: argparse.Namespace) -> int:
    if args.names:
        raise Refused(f"{args.names[0]!r} is not allowed with --checks: all of them are run.")
    results = checks.run_all(lambda one: _tell(one.name))
    text = checks.as_text(results)
    if args.out:
        args.out.write_text(text + "\n", encoding="utf-8")
    print(text)
    failed = sum(not one.holds for one in results)
    print(f"{len(results)} checks, {failed} broken.")
    return int(failed > 0)


def _tell(line: str) -> None:
    """Print progress: overwrite one line on a terminal, print every line elsewhere."""
    if sys.stderr.isatty():
        columns = os.get_terminal_size(sys.stderr.fileno()).columns - 1
        print(f"\r{line[:columns]:<{columns}}", end="", file=sys.stderr, flush=True)
    else:
        print(line, file=sys.stderr, flush=True)
