"""Commands ``epsilon`` and ``noise``, which print the ε of noisy steps and the noise multiplier for a given ε.

The steps are T subsampled Gaussian mechanisms, as in DP-SGD. Both commands also print the guarantee of the steps.
"""

from __future__ import annotations

import argparse
import json
import math
from types import MappingProxyType
from typing import Any

from dpcore._command import Command
from dpcore.journal import Refused

__all__ = ["COMMANDS"]

_ARGUMENT = "Each step adds Gaussian noise to a sum of contributions of norm at most C over {lots}; {accountant}."
_LOTS = {
    "poisson": "a Poisson sample",
    "fixed": "a random subset of a fixed size",
}
_ACCOUNTANTS = {
    "pld": "the privacy loss distributions of all steps are composed",
    "rdp": "the Rényi divergences of all steps are added up",
}
_ASSUMED = (
    "the program does what these numbers say: every contribution is clipped to norm C, and the noise of every "
    "step is fresh, secret and of standard deviation σC",
    "who is in which lot stays secret",
)


def _add_epsilon(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print the ε of T subsampled Gaussian steps (DP-SGD) at δ."
    parser.add_argument(
        "--noise-multiplier", type=float, required=True, metavar="SIGMA",
        help="σ: standard deviation of the noise divided by the clip norm",
    )  # fmt: skip
    _add_steps(parser)


def _add_noise(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the smallest noise multiplier σ at which T steps of DP-SGD are (ε, δ)-DP."
    )
    parser.add_argument("--epsilon", type=float, required=True, help="ε of all steps together")
    _add_steps(parser)


def _add_steps(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--delta", type=float, required=True, help="δ in (0, 1), well below 1/n")
    parser.add_argument(
        "--sample-rate", type=float, default=1.0, metavar="Q",
        help="q: lot size divided by the number of records (default: 1, all records)",
    )  # fmt: skip
    parser.add_argument(
        "--n-steps", type=int, default=1, metavar="T", help="number of steps (default: 1)"
    )
    parser.add_argument(
        "--neighbouring", choices=("add_remove", "replace_one"), default="add_remove",
        help="pairs of data sets that ε compares: one record added or removed (default), or replaced",
    )  # fmt: skip
    parser.add_argument(
        "--lots", choices=tuple(_LOTS), default="poisson",
        help="a record joins a lot with probability q (default), or a lot has a fixed size (replace_one only)",
    )  # fmt: skip
    parser.add_argument(
        "--accountant", choices=tuple(_ACCOUNTANTS), default="pld",
        help="pld is tight (default), rdp fast and looser",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _steps_of(args: argparse.Namespace) -> dict[str, Any]:
    names = ("sample_rate", "n_steps", "neighbouring", "lots", "accountant")
    return {name: getattr(args, name) for name in names}


def _run_epsilon(args: argparse.Namespace) -> int:
    _print_guarantee(args, args.noise_multiplier)
    return 0


def _run_noise(args: argparse.Namespace) -> int:
    from dpcore.accounting.accountant import noise_multiplier

    try:
        sigma = noise_multiplier(args.epsilon, args.delta, **_steps_of(args))
    except ValueError as error:
        raise Refused(_with_options(str(error))) from error
    _print_guarantee(args, _rounded_up(sigma))
    return 0


def _rounded_up(sigma: float) -> float:
    """Return σ rounded up to six significant digits, so that the printed guarantee holds for the printed σ."""
    if not 0 < sigma < math.inf:
        return sigma
    unit = 10.0 ** (math.floor(math.log10(sigma)) - 5)
    return float(f"{math.ceil(sigma / unit) * unit:.6g}")


def _print_guarantee(args: argparse.Namespace, sigma: float) -> None:
    """Print the guarantee of steps with noise multiplier σ, as text or as JSON."""
    from dpcore.accounting.accountant import epsilon, steps_event
    from dpcore.guarantee import Part, from_event

    steps = _steps_of(args)
    try:
        cost = epsilon(delta=args.delta, noise_multiplier=sigma, **steps)
        event = steps_event(sigma, args.sample_rate, n_steps=args.n_steps, lots=args.lots)
    except ValueError as error:
        raise Refused(_with_options(str(error))) from error
    kind = "Gaussian" if args.sample_rate == 1 else f"Gaussian on {_LOTS[args.lots]}"
    mechanism = f"{kind}, σ = {sigma:.6g}, q = {args.sample_rate:g}"
    plural = "step" if args.n_steps == 1 else "steps"
    guarantee = from_event(
        event, args.delta, at_most=cost, neighbouring=args.neighbouring,
        argument=_ARGUMENT.format(lots=_LOTS[args.lots], accountant=_ACCOUNTANTS[args.accountant]),
        public=("σ, q, T and C" + ", and the number of records" * (args.neighbouring == "replace_one"),),
        parts=(Part(name=f"{args.n_steps} {plural}", epsilon=cost, delta=args.delta, mechanism=mechanism),),
    ).assuming(*_ASSUMED)  # fmt: skip
    if args.json:
        print(json.dumps(
            {
                "epsilon": guarantee.epsilon if math.isfinite(guarantee.epsilon) else "inf",
                "delta": guarantee.delta, "noise_multiplier": sigma, **steps,
                "unit": guarantee.unit.singular, "status": guarantee.status,
                "mechanism": mechanism, "argument": guarantee.argument,
                "assumptions": list(guarantee.assumptions), "public": list(guarantee.public),
            },
            ensure_ascii=False, indent=1,
        ))  # fmt: skip
        return
    if args.command == "noise":
        print(f"noise multiplier σ = {sigma:.6g}")
    print(guarantee)


def _with_options(sentence: str) -> str:
    """Return an error message of the library with the parameter names replaced by the names of the options."""
    for name in ("noise_multiplier", "sample_rate", "n_steps"):
        sentence = sentence.replace(name, f"--{name.replace('_', '-')}")
    for name in ("epsilon", "delta"):
        if sentence.startswith(f"{name}="):
            sentence = f"--{sentence}"
    return sentence


COMMANDS = MappingProxyType({
    "epsilon": Command(_add_epsilon, _run_epsilon), "noise": Command(_add_noise, _run_noise),
})  # fmt: skip
"""The commands of this module, by name."""
