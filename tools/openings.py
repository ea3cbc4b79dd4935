"""Print how typical the random draw is with which each page opens, and store results that pages read.

Run ``make openings``. For every page whose headline is random, the program prints the value of the opening
draw, the median and the middle 80 % of 40 other draws, and the opening draw's rank among all 41. A rank near 21
is typical. If the rank is below 5 or above 37, the page needs another default seed. For Deep networks, the
program prints the seed whose draw is nearest to the median.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import disk_cache
from dpcore.estimate import middle
from dpcore.experiments import lesson, matrix, network, regression, relevance
from dpcore.experiments.classroom import answer_phones
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.matrix import MatrixParams
from dpcore.experiments.network import NetworkParams
from dpcore.experiments.regression import RegressionParams
from dpcore.experiments.relevance import RelevanceParams
from pages import specs
from pages.room.figure import N_PHONES, SEED, planning
from ui.frame.page_spec import PageSpec
from ui.runner.look import Look
from ui.runner.prepared_result import opening_file

LESSON = Path(__file__).resolve().parents[1] / "assets" / "lesson" / "draws.json"
NETWORK = Path(__file__).resolve().parents[1] / "assets" / "network" / "seeds.json"
N_OTHERS = 40
_TYPICAL = 5, 37
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Opening:
    """A page's result with the random draw with which the page opens, and the results with other draws."""

    page: str
    headline: str
    value: float
    others: Floats

    @property
    def rank(self) -> float:
        """Rank of the opening draw among all draws, 1 for the smallest result; ties share their mean rank."""
        return (
            1
            + float((self.others < self.value).sum())
            + float((self.others == self.value).sum()) / 2
        )

    @property
    def is_typical(self) -> bool:
        """Whether the opening draw lies in the middle 80 % of all draws."""
        low, high = _TYPICAL
        return low <= self.rank * 41 / (len(self.others) + 1) <= high

    def row(self) -> str:
        """Return the opening as a row of the printed Markdown table."""
        low, median, high = middle(self.others)
        verdict = "" if self.is_typical else ", **extreme**"
        return (
            f"| {self.page} | {self.headline} | {self.value:.3g} | {median:.3g} | {low:.3g} to {high:.3g} | "
            f"{self.rank:g} of {len(self.others) + 1}{verdict} |"
        )


def of_relevance(write: Path | None = None) -> Opening:
    """Return the opening of Relevance learning, which Home and the lesson use too.

    The accuracies of the other draws are written to the file ``write``, for the lesson.
    """
    params = RelevanceParams()
    problem = relevance.named_problem(params.dataset, params.prototypes_per_class)
    right = lesson.draws(range(1, N_OTHERS + 1))
    if write is not None:
        rows = ",\n".join(json.dumps([round(float(x), 4) for x in row]) for row in right)
        about = json.dumps({"params": params.to_code(), "n_draws": len(right)})[:-1]
        write.write_text(f'{about}, "right": [\n{rows}\n]}}\n', encoding="utf-8")
    at = EPSILON_GRID.index(params.epsilon)
    value = relevance.run_sweep(problem, params).at(params.epsilon).accuracy
    return Opening(
        page="relevance, home, lesson",
        headline="accuracy at ε = 1",
        value=value,
        others=right[:, at],
    )


def of_matrix() -> Opening:
    """Return the opening of the Relevance matrix page."""
    params = MatrixParams()
    problem = matrix.problem_of(params)
    sweep = matrix.run_sweep(problem, params)
    node = np.array([relevance.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)]])
    *_, outcomes = matrix.run_outcomes(problem, params, n_draws=N_OTHERS, nodes=node)
    return Opening(
        page="matrix", headline=f"accuracy at ε = {params.epsilon:g}", value=sweep.at(params.epsilon).accuracy,
        others=1 - outcomes.errors[:, 0],
    )  # fmt: skip


def of_regression() -> Opening:
    """Return the opening of the Linear regression page: the error of its published line."""
    params = RegressionParams()
    fits = regression.run(params)
    errors = np.sqrt(fits.test[:, EPSILON_GRID.index(params.epsilon)])
    return Opening(
        page="regression",
        headline="error of the published line, scaled",
        value=float(errors[0]),
        others=errors[1:],
    )


def of_classroom() -> Opening:
    """Return the opening of the Classroom page: the estimate from its twelve phones."""
    epsilon = [float(planning().values["epsilon"])]

    def estimate(seed: int) -> float:
        return N_PHONES * float(answer_phones(epsilon, N_PHONES, seed=seed).estimates[0, -1])

    others = np.array([estimate(seed) for seed in range(101, 101 + N_OTHERS)])
    headline = f"estimate at ε = {epsilon[0]:g}"
    return Opening(page="room", headline=headline, value=estimate(SEED), others=others)


def of_network(seeds: Iterable[int], write: Path | None = None) -> list[Opening]:
    """Return two openings of the Deep networks page: of the private and of the non-private network.

    All ``seeds`` are trained, and their accuracies are written to the file ``write``. Then the trainings at every ε
    with which the page opens are written too. The most typical seed is printed.
    """
    # A copy of the project may lack this page.
    from pages.network.measured import settings_of, write_readings

    params = NetworkParams()
    by_seed = {}
    for seed in seeds:
        private, plain = network.run(params.but(seed=seed))
        by_seed[seed] = [round(float(one.accuracy[-1]), 4) for one in (private, plain)]
        print(f"<!-- seed {seed}: {by_seed[seed]} -->", flush=True)
    if write is not None:
        rows = ",\n".join(json.dumps([seed, *right]) for seed, right in by_seed.items())
        about = json.dumps({"params": settings_of(params)})[:-1]
        write.write_text(f'{about}, "seeds": [\n{rows}\n]}}\n', encoding="utf-8")
        write_readings(params)
    print(f"<!-- most typical seed: {typical(by_seed)} -->", flush=True)
    here = by_seed[params.seed]
    others = np.array([right for seed, right in by_seed.items() if seed != params.seed])
    return [
        Opening(
            page="network",
            headline=f"{name}, seed {params.seed}",
            value=here[k],
            others=others[:, k],
        )
        for k, name in enumerate(("private", "twin"))
    ]


def write_shipped() -> list[Path]:
    """Compute the results that the project contains for the parameters with which pages open; return their files."""
    files = []
    for spec in specs():
        if not isinstance(spec, PageSpec):
            continue
        for stage in spec.pipeline.stages:
            if stage.ships:
                files.append(opening_file(spec.pipeline.name, stage.name))
                disk_cache.write(files[-1], opening_result(spec, stage.name))
    return files


def opening_result(spec: PageSpec[Any], stage: str) -> tuple[Any, dict[str, Any]]:
    """Compute a stage's result for the parameters with which a page opens.

    Returns
    -------
    result : object
        The result.
    rest : dict
        Cached properties of the problem that are stored with the result, by name.
    """
    look = Look(spec.pipeline, spec.params())
    declared = spec.pipeline.stage(stage)
    work = look._job(declared)[2]
    return work.compute(), {name: getattr(look.problem, name) for name in declared.rests_on}


def typical(by_seed: Mapping[int, Sequence[float]]) -> int:
    """Return the most typical seed, given the numbers that each seed has led to.

    For each of its numbers, a seed has a distance in rank to the median. The sum of these distances is
    smallest.
    """
    values = np.array(list(by_seed.values()))
    ranks = values.argsort(axis=0).argsort(axis=0)
    far = np.abs(ranks - (len(values) - 1) / 2).sum(axis=1)
    return list(by_seed)[int(far.argmin())]


def main() -> None:
    """Print the table of openings, and write the files that pages use."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files that pages read")
    parser.add_argument("--only-networks", action="store_true", help="leave out all other pages")
    parser.add_argument(
        "--networks",
        type=int,
        default=0,
        help="seeds of Deep networks to train, some seconds each",
    )
    parser.add_argument(
        "--only-shipped",
        action="store_true",
        help="write the results that the project contains, and nothing else",
    )
    args = parser.parse_args()
    if args.only_shipped:
        write_shipped()
        return
    print(
        "| page | headline | opening | median | middle 80 % | rank |\n|---|---|---|---|---|---|",
        flush=True,
    )
    if not args.only_networks:
        print(of_regression().row(), flush=True)
        print(of_matrix().row(), flush=True)
        print(of_classroom().row(), flush=True)
        print(of_relevance(LESSON if args.write else None).row(), flush=True)
        if args.write:
            # A copy of the project may lack this page.
            from pages.autoencoder.stored import write_attacks
            from pages.relevance.stored import write_opening

            write_attacks()
            write_opening()
            write_shipped()
    if args.networks:
        for one in of_network(range(args.networks), NETWORK if args.write else None):
            print(one.row(), flush=True)


if __name__ == "__main__":
    main()
