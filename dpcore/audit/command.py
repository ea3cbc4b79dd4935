"""Command ``python -m dpcore audit``, which compares every stated ε with the lower bound that an attack shows."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from types import MappingProxyType

from dpcore._command import Command, Progress, show
from dpcore.audit import checks
from dpcore.audit.findings import COLUMNS, Finding, as_csv, as_text, judge
from dpcore.audit.registry import all_worlds, find_worlds
from dpcore.audit.run import Plan, audit
from dpcore.guarantee import Guarantee
from dpcore.journal import Refused

__all__ = ["COMMANDS"]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Exit code 1 when a claim that is called proved is broken."
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
    parser.add_argument(
        "--judge", type=Path, metavar="FILE",
        help="attack nothing: judge the error counts of FILE, a .csv file of this command, over all claims of today",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="say what would be attacked, and stop")


def _run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a proved claim is refuted or a check fails, and 0 otherwise.

    Raises
    ------
    Refused
        When the arguments contradict each other.
    """
    if args.checks:
        return _run_checks(args)
    if args.judge:
        return _judge_again(args)
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
    findings = list(audit(every, plan, journal=journal, n_jobs=args.jobs, tell=show))
    findings.sort(key=lambda finding: order[finding.name])
    _write(findings, args.out)
    print(as_text(findings))
    print(
        f"{len(findings)} claims. bound, gaussian: at 95 % each; strict: all verdicts together err with a chance "
        f"below {plan.false_alarms:g}; ceiling: the most that n trainings can show."
    )
    return int(any(finding.broken for finding in findings))


def _write(findings: list[Finding], out: Path | None) -> None:
    if out:
        text = as_csv(findings) if out.suffix == ".csv" else as_text(findings) + "\n"
        out.write_text(text, encoding="utf-8")


def _judge_again(args: argparse.Namespace) -> int:
    """Compute all verdicts again from a CSV file of error counts, and print the verdicts that changed.

    A verdict may change when the number of claims changes, because all claims share one error probability.
    """
    if args.names:
        raise Refused(f"{args.names[0]!r} is not allowed with --judge: all claims are judged.")
    rows, claims = _stored_rows(args.judge), {one.name: one.claim for one in all_worlds()}
    unknown = [name for name in rows if name not in claims]
    if unknown:
        raise Refused(f"{args.judge}: {unknown[0]!r} is no claim of today: delete its row.")
    missing = [name for name in claims if name not in rows]
    if missing:
        raise Refused(
            f"{args.judge} has no row of {missing[0]!r}: attack it (audit {missing[0]!r} --out new.csv) and add "
            "its row."
        )
    plan = Plan(claims=len(claims))
    findings = [_judged(rows[name], claims[name](), plan.strict, args.judge) for name in claims]
    _write(findings, args.out)
    changed = [one for one in findings if one.verdict != rows[one.name]["verdict"]]
    for one in changed:
        print(
            f"{one.name}: {rows[one.name]['verdict']!r} is now {one.verdict!r}, "
            f"claimed {one.claim.epsilon:.4g}, strict {one.demonstrated:.4g}."
        )
    moved = sum(str(one.demonstrated) != rows[one.name]["strict"] for one in findings)
    print(
        f"{len(findings)} claims: {len(changed)} verdicts and {moved} strict bounds are not as in {args.judge}."
    )
    return int(any(finding.broken for finding in findings))


def _stored_rows(file: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a CSV file that this command wrote earlier, by the names of the audits."""
    try:
        with file.open(encoding="utf-8", newline="") as text:
            rows = list(csv.DictReader(text, restval=""))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Refused(f"{file} cannot be read: {error}.") from error
    if not rows or tuple(rows[0]) != COLUMNS:
        raise Refused(f"{file} is no table of an audit: give a .csv file that audit --out wrote.")
    return {row["name"]: row for row in rows}


def _judged(row: dict[str, str], claim: Guarantee, strict: float, file: Path) -> Finding:
    is_gaussian = bool(row["g0"] or row["g1"])
    for key in ("n", "k0", "k1", *(("g0", "g1") if is_gaussian else ())):
        if not row[key].isdecimal():
            raise Refused(
                f"{file}, row {row['name']!r}: {key}={row[key]!r} is not allowed: give a whole number from 0."
            )
    gaussian = (int(row["g0"]), int(row["g1"])) if is_gaussian else None
    k0, k1, n = (int(row[key]) for key in ("k0", "k1", "n"))
    try:
        return judge(row["name"], claim, k0, k1, n, strict=strict, gaussian=gaussian)
    except ValueError as error:
        raise Refused(f"{file}, row {row['name']!r}: {error}") from error


def _run_checks(args: argparse.Namespace) -> int:
    if args.names:
        raise Refused(f"{args.names[0]!r} is not allowed with --checks: all of them are run.")
    progress = Progress(sum(1 for _ in checks.all_checks()))
    results = checks.run_all(lambda one: progress.step(one.name))
    text = checks.as_text(results)
    if args.out:
        args.out.write_text(text + "\n", encoding="utf-8")
    print(text)
    failed = sum(not one.holds for one in results)
    print(f"{len(results)} checks, {failed} broken.")
    return int(failed > 0)


COMMANDS = MappingProxyType({"audit": Command(_add_arguments, _run)})
"""The command of this module, by name."""
