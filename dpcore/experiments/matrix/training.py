"""Private matrix trainings: sweeps over the noise or another setting, and their models prepared for display.

The matrix of a model is Λ = ΩᵀΩ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import disk_cache
from dpcore._types import Floats, Integers
from dpcore.code_digest import code_digest
from dpcore.datasets import mark
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.matrix.noise import matrix_noise
from dpcore.experiments.matrix.params import MatrixParams, MatrixProblem, named_problem, problem_of
from dpcore.experiments.relevance import budget, padded, padded_labels
from dpcore.experiments.relevance.training import Levels, along, train_levels
from dpcore.lvq import matrix

__all__ = [
    "LINES",
    "LINE_TIMES",
    "N_EIGEN",
    "N_NODES",
    "SLOW",
    "Hooks",
    "Line",
    "MatrixModel",
    "MatrixSweep",
    "MatrixView",
    "Study",
    "cached",
    "draft_epochs",
    "draft_study",
    "matrix_view",
    "relevances",
    "run_line",
    "run_study",
    "run_sweep",
    "sample",
    "timeline",
]

N_EIGEN = 4
_POINTS = 220


@dataclass(frozen=True, kw_only=True)
class MatrixView:
    """Models prepared for display: relevances, maps and eigenvectors, with Λ scaled to trace 1.

    Leading axes (...) enumerate the models.

    - ``relevances`` (..., d): diagonal of Λ, for d features.
    - ``matrix`` (..., F, F): Λ of the F displayed features.
    - ``prototypes`` (..., P, 3): two map coordinates of each prototype, and its squared distance to
      the map's plane.
    - ``axes`` (..., d, 2): the map itself. A record x is at (x - m) times the axes, with m the
      origin of the problem's plane.
    - ``directions`` (..., 4, d): leading eigenvectors of Λ.
    - ``strengths`` (..., 4): their eigenvalues.
    """

    relevances: NDArray[np.float32]
    matrix: NDArray[np.float32]
    prototypes: NDArray[np.float32]
    axes: NDArray[np.float32]
    directions: NDArray[np.float32]
    strengths: NDArray[np.float32]


def relevances(omegas: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the diagonal (..., d) of Λ = ΩᵀΩ, scaled to sum 1, for matrices Ω (..., l, d)."""
    squares = np.square(omegas.astype(float)).sum(-2)
    return cast(Floats, squares / np.maximum(squares.sum(-1, keepdims=True), 1e-30))


def sample(problem: MatrixProblem) -> NDArray[np.int64]:
    """Return the indices (n,) of the training records shown on the maps: all, or a fixed sample of 220."""
    n = len(problem.y)
    if n <= _POINTS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, _POINTS, replace=False))


def matrix_view(
    problem: MatrixProblem, W: NDArray[np.floating], Omega: NDArray[np.floating]
) -> MatrixView:
    """Return views of models for display, each with a map to two dimensions.

    The map is z = diag(√λ₁, √λ₂) (v₁, v₂)ᵀ (x - m), with m the mean of the records and λᵢ, vᵢ the
    two leading eigenvalues and eigenvectors of Λ.

    - Distances on the map are the classifier's distances along v₁ and v₂.
    - The map shows the plane through m that v₁ and v₂ span. Let z_w be the position of a prototype
      w on the map, and r its distance to this plane, measured by Ω. Every x in the plane has the
      squared distance |Ω(x - w)|² = |z - z_w|² + r². So decision regions drawn with r² for each
      prototype are exactly those of the classifier.
    - Each map is rotated so that the records come as close as possible to their positions in the
      plane of largest variance. So maps of neighbouring noise levels look similar.
    - Signs of eigenvectors are chosen consistently.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    W : ndarray (..., P, d)
        Prototypes.
    Omega : ndarray (..., l, d)
        Matrices.

    Returns
    -------
    MatrixView
    """
    scaled = Omega / np.sqrt(np.maximum(np.square(Omega).sum((-2, -1), keepdims=True), 1e-30))
    origin, plane = problem.plane
    values, vectors = _eigen(scaled)
    X = problem.X[sample(problem)] - origin
    axes = vectors[..., :2, :] * np.sqrt(values[..., :2, None])  # (..., 2, d)
    turned = _turned(X @ np.swapaxes(axes, -1, -2), X @ plane, axes)
    flat = (W - origin) @ turned
    whole = np.square((W - origin) @ np.swapaxes(scaled, -1, -2)).sum(-1)
    rest = np.maximum(whole - np.square(flat).sum(-1), 0)
    few = scaled[..., problem.shown]
    return MatrixView(
        relevances=relevances(Omega).astype(np.float32),
        matrix=(np.swapaxes(few, -1, -2) @ few).astype(np.float32),
        prototypes=np.concatenate([flat, rest[..., None]], -1).astype(np.float32),
        axes=turned.astype(np.float32),
        directions=_alike(vectors).astype(np.float32),
        strengths=values.astype(np.float32),
    )


def _eigen(scaled: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the four largest eigenvalues (..., 4) of Λ and their eigenvectors (..., 4, d).

    Both are padded with zeros.
    """
    _, roots, vectors = np.linalg.svd(scaled.astype(float), full_matrices=False)
    missing = max(0, N_EIGEN - roots.shape[-1])
    lead = [(0, 0)] * (roots.ndim - 1)
    values = np.pad(np.square(roots[..., :N_EIGEN]), [*lead, (0, missing)])
    return values, np.pad(vectors[..., :N_EIGEN, :], [*lead, (0, missing), (0, 0)])


def _turned(
    places: NDArray[np.float64], wanted: NDArray[np.float64], axes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the axes (..., d, 2) of a map, rotated so that its points come close to given points.

    - ``places`` (..., n, 2): points on the map.
    - ``wanted`` (n, 2): the given points.
    - ``axes`` (..., 2, d): axes of the map before the rotation.
    """
    U, _, V = np.linalg.svd(np.swapaxes(places, -1, -2) @ wanted)
    return cast(Floats, np.swapaxes(axes, -1, -2) @ (U @ V))


def _alike(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return eigenvectors with consistent signs: the sum of the cubes of their entries is positive.

    This choice is stable under noise.
    """
    signs = np.sign(np.power(vectors, 3).sum(-1, keepdims=True))
    return vectors * np.where(signs == 0, 1, signs)


N_NODES = 13
LINES = (
    "clip_norm",
    "sample_rate",
    "epochs",
    "learning_rate",
    "init_share",
    "prototypes_per_class",
)
LINE_TIMES = np.linspace(0, 1, 5) ** 2  # shares of the training: every other one of the sweep's
SLOW = ("har", "mnist_dct", "mnist_pca")
_SNAPSHOTS = 9
_DRAFT_SECONDS = 0.025  # of training on a free core; the rest of an answer takes as long again
_DRAFT_SIZE = 20_000  # numbers in the data up to which the best pair takes less than half a second
R = TypeVar("R")
W = TypeVar("W")
Hooks = tuple[Callable[[Any], None] | None, Callable[[], None] | None]
"""Two optional functions that are called during a training.

The first is called with the progress. The second is called regularly, and may raise to stop the
training.
"""


# Sweeps -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MatrixModel:
    """The released model at one ε, interpolated between noise levels.

    - ``prototypes`` (P, d): P prototypes of d features.
    - ``omega`` (l, d): matrix Ω.
    - ``relevances`` (d,): relevances with sum 1.
    - ``accuracy``: test accuracy.
    - ``noise_multiplier``: σ.
    """

    prototypes: NDArray[np.float32]
    omega: NDArray[np.float32]
    relevances: NDArray[np.float64]
    accuracy: float
    noise_multiplier: float


@dataclass(frozen=True, kw_only=True)
class MatrixSweep(Levels):
    """Private models at K noise levels and S steps of the training, with errors of non-private references.

    - ``prototypes`` (K, S, P, d): P prototypes of d features.
    - ``omegas`` (K, S, l, d): matrices Ω of l rows.
    - ``clipped`` (K,): fraction of records with a gradient norm above the clipping norm at the end
      of the training.
    """

    prototypes: NDArray[np.float32]
    omegas: NDArray[np.float32]
    clipped: NDArray[np.float64]

    def relevances(self) -> NDArray[np.float64]:
        """Return the relevances (n_epsilon, d) of the released model at every ε of the grid.

        The relevances are interpolated linearly between noise levels.
        """
        return self.over_epsilon(relevances(self.omegas[:, self.end]))

    def at(self, epsilon: float) -> MatrixModel:
        """Return the released model at one ε of the grid, interpolated between the noise levels.

        Parameters
        ----------
        epsilon : float
            A value of ``dpcore.experiments.grids.EPSILON_GRID``. δ and the number of epochs are
            from the sweep's ``params``.

        Returns
        -------
        MatrixModel
            The model. Its relevances are interpolated like Ω, not computed from the interpolated Ω.
        """
        omegas, sigmas = self.omegas[:, self.end], budget.noise_multipliers(self.params)
        return MatrixModel(
            prototypes=self.between(epsilon, self.prototypes[:, self.end]).astype(np.float32),
            omega=self.between(epsilon, omegas).astype(np.float32),
            relevances=self.between(epsilon, relevances(omegas)),
            accuracy=float(1 - self.between(epsilon, self.errors[:, self.end])),
            noise_multiplier=float(sigmas[EPSILON_GRID.index(epsilon)]),
        )


def timeline(sample_rate: float, last: float) -> NDArray[np.int64]:
    """Return the numbers (S,) of the steps at which models are stored, from 0 to ``last`` epochs.

    The steps are denser at the beginning.
    """
    epochs = last * np.linspace(0, 1, _SNAPSHOTS) ** 2
    return np.unique(np.rint(epochs / sample_rate).astype(np.int64))


def run_sweep(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    nodes: NDArray[np.float64] | None = None,
    last_epoch: float | None = None,
    references: bool = True,
    threads: int = 2,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> MatrixSweep:
    """Train at every noise level on the same batches, and train references without noise.

    One reference has clipping, the other one has not.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        All settings except ε, which is the axis of the sweep.
    nodes : ndarray (K,), optional
        Noise multipliers; by default a grid that covers all ε.
    last_epoch : float, optional
        Number of epochs to train, for a preview. The noise is for a training with all
        ``params.epochs``.
    references : bool
        Whether to train the references; otherwise their errors are NaN.
    threads, progress, check
        Number of threads, and two functions. ``progress`` is called with the fraction done.
        ``check`` is called regularly and may raise to stop the training.

    Returns
    -------
    MatrixSweep
    """
    nodes = budget.noise_nodes(params, N_NODES) if nodes is None else nodes
    K, steps = len(nodes), timeline(params.sample_rate, last_epoch or params.epochs)
    path = train_levels(
        problem, params, nodes, steps, references=references, threads=threads, progress=progress, check=check
    )  # fmt: skip
    prototypes, omegas = path.prototypes, path.matrices
    errors = problem.matrix_errors(prototypes, omegas)
    unknown = np.full(len(steps), np.nan)
    return MatrixSweep(
        params=params,
        nodes=nodes,
        epochs=(steps * params.sample_rate).astype(float),
        prototypes=prototypes[:K],
        omegas=omegas[:K],
        errors=errors[:K],
        method_errors=errors[K] if references else unknown,
        plain_errors=errors[K + 1] if references else unknown,
        clipped=_clipped(problem, params, prototypes[:K, -1], omegas[:K, -1]),
    )


def _clipped(
    problem: MatrixProblem,
    params: MatrixParams,
    W: NDArray[np.float32],
    Omega: NDArray[np.float32],
) -> NDArray[np.float64]:
    rows = slice(0, 2000)  # enough for a share
    X, y = problem.X[rows], problem.y[rows]
    norms = [
        matrix.gradient_norms(X, y, w, o, problem.labels) for w, o in zip(W, Omega, strict=True)
    ]
    return np.array([(row > params.clip_norm).mean() for row in norms])


# Results of large data sets, kept on disk: found again after a restart ----------------------------------


def cached(
    make: Callable[[W, MatrixParams, MatrixProblem, Hooks], R],
    what: W,
    params: MatrixParams,
    problem: MatrixProblem,
    hooks: Hooks,
) -> R:
    """Return the result of ``make(what, params, problem, hooks)``, from the disk cache if possible.

    ``what`` selects what ``make`` computes, such as the name of a slider. ``hooks`` are two
    callables: one receives the progress, the other checks for cancellation. Results for the data
    sets in ``SLOW`` are stored by `dpcore.disk_cache`. Their key is ``what``, ``params``, the data
    file and the code involved. A user's own data are never stored.
    """
    where = mark(params.dataset) if params.dataset in SLOW else None
    if where is None:
        return make(what, params, problem, hooks)
    code = code_digest(make, MatrixParams, named_problem, disk_cache.read)
    name = f"matrix-{make.__name__.strip('_')}"
    file = disk_cache.result_file(name, (what, params, where), code=code)
    result = disk_cache.read(file)
    if result is None:
        result = make(what, params, problem, hooks)
        disk_cache.write(file, result)
        disk_cache.tidy()
    return cast(R, result)


# What a settled page draws of one sweep, and the quick part of it for a moving handle --------------------


@dataclass(frozen=True, kw_only=True)
class Study:
    """Trainings at K noise levels, with views of their models.

    - ``views``: views of the models at the K levels and S steps.
    - ``best``: view of the model without privacy, or None until known.
    - ``best_accuracy``: accuracy of the model without privacy.
    - ``noised_errors`` (K, 2, V, D): errors with D noise draws on the finished matrix at V standard
      deviations, see `matrix_noise`. None in a preview.
    - ``best_noised_errors`` (2, V, D): the same errors of the model without privacy.
    - ``upto``: number of epochs trained, fewer than requested in a preview.
    """

    sweep: MatrixSweep
    views: MatrixView
    best: MatrixView | None
    best_accuracy: float
    noised_errors: NDArray[np.float64] | None
    best_noised_errors: NDArray[np.float64] | None
    upto: float


def run_study(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Study:
    """Return the trainings at all noise levels with all epochs, and views of their models.

    For large data sets the result is stored on disk, see `cached`.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        All settings; ε and the noise on the finished matrix are not used.
    progress, check : callables, optional
        ``progress`` is called with the fraction done. ``check`` is called regularly and may raise
        to stop the work.

    Returns
    -------
    Study
    """
    still = params.but(epsilon=1.0, matrix_noise_std=0.025, person=0, record=0)
    return cached(_study, "study", still, problem, (progress, check))


def _study(what: str, params: MatrixParams, problem: MatrixProblem, hooks: Hooks) -> Study:
    progress, check = hooks
    sweep = run_sweep(
        problem, params, check=check,
        progress=None if progress is None else lambda part: progress(0.8 * part),
    )  # fmt: skip
    W, Omega = problem.best_pair
    if check is not None:
        check()
    views = matrix_view(problem, sweep.prototypes, sweep.omegas)
    ends = zip(sweep.prototypes[:, -1], sweep.omegas[:, -1], strict=True)
    noised_errors = np.array([matrix_noise(problem, w, o, n_draws=8) for w, o in ends])
    return Study(
        sweep=sweep,
        views=views,
        best=matrix_view(problem, W, Omega),
        best_accuracy=1 - problem.best_error,
        noised_errors=noised_errors,
        best_noised_errors=matrix_noise(problem, W, Omega),
        upto=float(sweep.epochs[-1]),
    )


def draft_epochs(problem: MatrixProblem, params: MatrixParams) -> float:
    """Return how many epochs to train while a slider moves: all, or the first ones of a long training.

    The number follows from a formula for the time per step, fitted to measurements. The time
    depends on the number of features d, the number of rows l of Ω, and the batch size.
    """
    d, rows = problem.n_features, problem.rows
    lot = params.sample_rate * len(problem.y)
    step = 2e-6 + 4.5e-9 * d * rows + 1.5e-10 * d * rows * lot + 1e-9 * d * lot
    return float(min(params.epochs, max(1.0, _DRAFT_SECONDS / step * params.sample_rate)))


def draft_study(problem: MatrixProblem, params: MatrixParams) -> Study:
    """Return a preview of the study at the single noise level (K = 1) for ``params.epsilon``."""
    node = budget.chosen_multiplier(params)
    upto = draft_epochs(problem, params)
    sweep = run_sweep(problem, params, nodes=node, last_epoch=upto, references=False, threads=1)
    known = problem.best_known
    return Study(
        sweep=sweep,
        views=matrix_view(problem, sweep.prototypes, sweep.omegas),
        best=matrix_view(problem, *problem.best_pair) if known else None,
        best_accuracy=1 - problem.best_error if known else float("nan"),
        noised_errors=None,
        best_noised_errors=None,
        upto=upto,
    )


# Trainings along a handle at one ε: it is drawn without a server ----------------------------------------


@dataclass(frozen=True, kw_only=True)
class Line:
    """Trainings at one ε for V values of one parameter.

    The S models of a training are taken at the fractions ``LINE_TIMES`` of the training's steps.

    - ``views``: views of the models, with leading axes (V, S).
    - ``errors`` (V, S): test errors.
    - ``method_errors`` and ``plain_errors`` (V, S): test errors of trainings without noise.
      ``method_errors`` are with clipping, ``plain_errors`` without clipping.
    - ``noise_multipliers`` (V,): σ.
    - ``clipped`` (V,): fraction of records with a gradient norm above the clipping norm C at the
      end.
    - ``real_epsilons`` (V,): actual ε of initialisation and steps together.
    - ``labels`` (V, P): classes of the P prototypes, padded.
    - ``bests`` (V,), ``best_accuracies`` (V,): views and accuracies of the models without privacy,
      NaN until computed. None if the parameter is not the number of prototypes.
    """

    views: MatrixView
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]
    noise_multipliers: NDArray[np.float64]
    clipped: NDArray[np.float64]
    real_epsilons: NDArray[np.float64]
    labels: NDArray[np.int64]
    bests: MatrixView | None
    best_accuracies: NDArray[np.float64] | None


def run_line(
    problem: MatrixProblem,
    params: MatrixParams,
    name: str,
    *,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Line:
    """Train at ``params.epsilon`` for every value of the slider ``name``.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        All other settings.
    name : str
        One of ``LINES``.
    progress, check : callables, optional
        ``progress`` is called with the fraction done. ``check`` is called regularly and may raise
        to stop the work.

    Returns
    -------
    Line
        The trainings; for large data sets they are stored on disk, see `cached`.
    """
    still = {
        name: params.controls()[name].default,
        "matrix_noise_std": 0.025,
        "person": 0,
        "record": 0,
    }
    return cached(_line, name, params.but(**still), problem, (progress, check))


def _line(what: str, params: MatrixParams, problem: MatrixProblem, hooks: Hooks) -> Line:
    progress, check = hooks
    problems, trained = [], []
    for there, here in along(problem, params, what, problem_of, progress):
        problems.append(there)
        trained.append(_one(there, here, check))
    views, errors, sigmas, clipped, real = (list(part) for part in zip(*trained, strict=True))
    each = np.array(errors)
    bests, accuracies = (
        _bests(problems, views[0], check) if what == "prototypes_per_class" else (None, None)
    )
    return Line(
        views=_stacked(views),
        errors=each[:, 0], method_errors=each[:, 1], plain_errors=each[:, 2],
        noise_multipliers=np.array(sigmas), clipped=np.array(clipped),
        real_epsilons=np.array(real),
        labels=padded_labels(problems),
        bests=bests, best_accuracies=accuracies,
    )  # fmt: skip


def _stacked(views: Sequence[MatrixView]) -> MatrixView:
    """Return views of single models as one view, padded with NaN where a model has fewer prototypes."""
    parts = {field: [getattr(one, field) for one in views] for field in vars(views[0])}
    prototypes = padded(parts.pop("prototypes"))
    others = {field: np.array(some) for field, some in parts.items()}
    return MatrixView(prototypes=prototypes, **others)


def _bests(
    problems: Sequence[MatrixProblem], private: MatrixView, check: Callable[[], None] | None
) -> tuple[MatrixView, NDArray[np.float64]]:
    """Return views and accuracies of the models without privacy.

    Results for models that are neither cached nor quick to compute are NaN.
    """
    nothing = MatrixView(
        **{field: np.full_like(part[0], np.nan) for field, part in vars(private).items()}
    )
    views, scores = [], []
    for one in problems:
        known = one.best_known or one.X.size < _DRAFT_SIZE
        views.append(matrix_view(one, *one.best_pair) if known else nothing)
        scores.append(1 - one.best_error if known else np.nan)
        if check is not None:
            check()
    return _stacked(views), np.array(scores)


def _one(
    problem: MatrixProblem, params: MatrixParams, check: Callable[[], None] | None
) -> tuple[MatrixView, list[NDArray[np.float64]], float, float, float]:
    """Return the results for one slider value of a `Line`, at the ε of ``params``.

    - the view (`MatrixView`) of the models;
    - test errors of three trainings: private, without noise but with clipping, and without both;
    - σ, the fraction of clipped records, and the actual ε.
    """
    sigma = budget.chosen_multiplier(params)
    sweep = run_sweep(problem, params, nodes=sigma, threads=1, check=check)
    at = _times(sweep)
    errors = [sweep.errors[0, at], sweep.method_errors[at], sweep.plain_errors[at]]
    seen = matrix_view(problem, sweep.prototypes[0, at], sweep.omegas[0, at])
    return seen, errors, float(sigma[0]), float(sweep.clipped[0]), _real(params, float(sigma[0]))


def _real(params: MatrixParams, sigma: float) -> float:
    """Return the actual ε of initialisation and steps together, for steps with noise multiplier σ."""
    if params.recipe == "tight":
        return params.epsilon
    return params.init_share * params.epsilon + float(budget.steps_epsilons(params, [sigma])[0])


def _times(sweep: MatrixSweep) -> NDArray[np.int64]:
    """Return the indices of the stored steps nearest to the fractions ``LINE_TIMES`` of the training.

    A short training has fewer stored steps, so some are repeated.
    """
    shares = sweep.epochs / sweep.epochs[-1]
    return cast(Integers, np.abs(shares[:, None] - LINE_TIMES).argmin(0))
