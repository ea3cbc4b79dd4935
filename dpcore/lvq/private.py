"""DP-GLVQ: prototypes with an (ε, δ) guarantee (Brinkrolf, Berger and Hammer 2018)."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, accounting, sgd
from dpcore.guarantee import Guarantee, Neighbouring, Part
from dpcore.lvq import gradients, init, train
from dpcore.lvq.glvq import PrototypeClassifier, streams
from dpcore.lvq.promise import promise, start_parts, start_scales

__all__ = ["DPGLVQ", "BoundsEstimatedWarning"]

_INITS = ("gaussian", "laplace", "public")
_NOISES = ("accountant", "paper")


class BoundsEstimatedWarning(UserWarning):
    """The bounds of the features were read from the data, which no ε pays for."""


class DPGLVQ(PrototypeClassifier):
    """Generalised learning vector quantisation with an (ε, δ) guarantee.

    Features are scaled to [-1, 1] by public bounds (values outside are put on the bound). Training
    starts at noisy class means, which cost ε₁ = ``init_share``·ε, and takes T = E/q noisy steps
    W ← W - η (Σ clip_C(g_i) + σ C Z)/(qN) over Poisson lots, which cost the rest.

    Parameters
    ----------
    epsilon, delta : float
        The whole budget: ε > 0 (inf: no noise at all), δ in (0, 1).
    clip_norm : float
        C > 0, on the scaled features.
    sample_rate : float
        q in (0, 1].
    epochs : float
        E > 0; T = round(E/q) steps.
    init_share : float
        Part of ε for the start, in (0, 1); the public start spends nothing and gives it all to the
        steps. The Gaussian start takes δ/2, the steps then have the other half.
    prototypes_per_class : int
        m ≥ 1; does not change the guarantee.
    learning_rate : float
        η > 0.
    schedule : "constant" or "linear"
        How η falls.
    average : bool
        Release the anytime average of the iterates (post-processing).
    project : bool
        Put prototypes back on the public domain after each step (post-processing).
    noise : "accountant" or "paper"
        The smallest σ whose steps cost their budget by the PLD accountant, or the printed formula
        σ = 2q √(T ln 1/δ)/ε₂, which may cost more or less than it claims: see ``privacy_``.
    init : "gaussian", "laplace" or "public"
        One Gaussian release of class sizes and sums, the paper's two Laplace releases, or a start
        that no data touched.
    bounds : (low, high) or None
        Public bounds of the features, each a number or an array (d,). None reads them from the
        data, with a warning: the guarantee then rests on an assumption that does not hold.
    neighbouring : "add_remove" or "replace_one"
        For which pairs of data sets the guarantee holds.
    random_state : int, Generator, RandomState or None
        The same int gives the same model, whatever the number of threads.

    Attributes
    ----------
    privacy_ : Guarantee
        What the fitted prototypes really cost.
    prototypes_ : ndarray (P, d)
        In the units of the data.
    prototype_labels_ : ndarray (P,)
        Class of each prototype.
    path_ : ndarray (S, P, d)
        Prototypes through training; private as a whole.
    path_epochs_ : ndarray (S,)
        Epochs at which they stood there.
    noise_multiplier_ : float
        σ.
    clipped_share_ : float
        Share of the training samples whose gradient is clipped at the end. Computed from the data
        without noise: for the keeper's eyes, not for release.

    Notes
    -----
    The number of records N, the classes and the bounds are taken as public. Noise is made for
    experiments; a real release needs a cryptographic generator and a discrete mechanism.

    Examples
    --------
    >>> X, y = [[-1.0], [-0.8], [0.8], [1.0]] * 50, [0, 0, 1, 1] * 50
    >>> model = DPGLVQ(epsilon=4.0, bounds=(-1, 1), sample_rate=0.1, random_state=0).fit(X, y)
    >>> model.predict([[0.5]]).tolist(), model.privacy_.epsilon
    ([1], 4.0)
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        clip_norm: float = 0.5,
        sample_rate: float = 0.01,
        epochs: float = 50,
        init_share: float = 0.2,
        prototypes_per_class: int = 1,
        learning_rate: float = 0.1,
        schedule: str = "constant",
        average: bool = True,
        project: bool = True,
        noise: str = "accountant",
        init: str = "gaussian",
        bounds: tuple[ArrayLike, ArrayLike] | None = None,
        neighbouring: Neighbouring = "add_remove",
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.clip_norm = clip_norm
        self.sample_rate = sample_rate
        self.epochs = epochs
        self.init_share = init_share
        self.prototypes_per_class = prototypes_per_class
        self.learning_rate = learning_rate
        self.schedule = schedule
        self.average = average
        self.project = project
        self.noise = noise
        self.init = init
        self.bounds = bounds
        self.neighbouring = neighbouring
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to samples X (n, d) and classes y (n,); see the class for the guarantee."""
        self._check()
        X, index = self._inputs(X, y)
        self.low_, self.high_ = self._bounds(X)
        inside = np.clip((X - self._middle()) / self._half(), -1, 1).astype(np.float32)
        labels = np.repeat(np.arange(len(self.classes_)), self.prototypes_per_class)
        chance = streams(self.random_state)
        n_steps = max(1, round(self.epochs / self.sample_rate))
        self.noise_multiplier_ = self._noise_multiplier(n_steps)
        kept = np.unique(np.linspace(0, n_steps, 41).round().astype(int))
        options: dict[str, Any] = {
            "noise_multiplier": self.noise_multiplier_, "clip_norm": self.clip_norm,
            "learning_rate": self.learning_rate, "expected_lot": self.sample_rate * len(X),
            "key": chance.key, "snapshots": kept, "schedule": self.schedule,
            "average": self.average, "bounds": (-1.0, 1.0) if self.project else None,
        }  # fmt: skip
        first = self._start(inside, index, chance.start)
        lots = sgd.poisson_lots(len(X), self.sample_rate, n_steps, chance.lots)
        path, norms = self._descend(inside, index, first, labels, lots, options)
        self.path_ = self._middle() + self._half() * path.astype(float)
        self.path_epochs_ = kept * self.sample_rate
        self.prototypes_ = self.path_[-1]
        self.prototype_labels_ = self.classes_[labels]
        self.clipped_share_ = float((norms > self.clip_norm).mean())
        self.privacy_ = self._guarantee(n_steps, len(X))
        return self

    def _descend(
        self,
        X: NDArray[np.float32],
        y: NDArray[np.int64],
        first: NDArray[np.float32],
        labels: NDArray[np.int64],
        lots: sgd.Lots,
        options: dict[str, Any],
    ) -> tuple[NDArray[np.float32], NDArray[np.floating[Any]]]:
        """Return prototypes through training (S, P, d) and the gradient norms at its end (n,)."""
        path = train.sweep(X, y, first, labels, lots, **options)[0]
        return path, gradients.gradient_norms(X, y, path[-1], labels)

    def _check(self) -> None:
        _checks.epsilon(self.epsilon)
        _checks.delta(self.delta)
        _checks.number("clip_norm", self.clip_norm, low=0, open_low=True)
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)
        _checks.number("epochs", self.epochs, low=0, open_low=True)
        _checks.number("init_share", self.init_share, low=0, high=1, open_low=True, open_high=True)
        _checks.integer("prototypes_per_class", self.prototypes_per_class, low=1)
        _checks.one_of("noise", self.noise, _NOISES)
        _checks.one_of("init", self.init, _INITS)
        _checks.one_of("neighbouring", self.neighbouring, ("add_remove", "replace_one"))

    def _bounds(self, X: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if self.bounds is None:
            warnings.warn(
                "bounds=None reads the bounds from the data, which leaks and is not paid for: "
                "give public bounds for a guarantee.",
                BoundsEstimatedWarning,
                stacklevel=3,
            )
            return X.min(0), X.max(0)
        low, high = (np.broadcast_to(np.asarray(b, float), X.shape[1]) for b in self.bounds)
        if not (np.isfinite(low).all() and np.isfinite(high).all() and (low < high).all()):
            raise ValueError("bounds are not allowed: give finite numbers with low < high.")
        return low, high

    def _middle(self) -> NDArray[np.float64]:
        return (self.low_ + self.high_) / 2

    def _half(self) -> NDArray[np.float64]:
        half = (self.high_ - self.low_) / 2
        return np.where(half > 0, half, 1.0)

    def _scale(self) -> NDArray[np.float64]:
        return 1 / self._half()

    def _shares(self) -> tuple[float, float]:
        if self.init == "public":
            return 0.0, self.epsilon
        return self.init_share * self.epsilon, (1 - self.init_share) * self.epsilon

    def _step_delta(self) -> float:
        return self.delta / 2 if self.init == "gaussian" else self.delta

    def _noise_multiplier(self, n_steps: int) -> float:
        epsilon = self._shares()[1]
        if np.isinf(epsilon):
            return 0.0
        arguments = (epsilon, self._step_delta(), self.sample_rate, n_steps)
        if self.noise == "paper":
            return accounting.paper_noise_multiplier(*arguments)
        return accounting.noise_multiplier(*arguments, neighbouring=self.neighbouring)

    def _start(
        self, X: NDArray[np.float32], y: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.float32]:
        n_classes, n_features = len(self.classes_), X.shape[1]
        if self.init == "public":
            return init.public_start(n_classes, n_features, self.prototypes_per_class, rng)[None]
        sums, counts = init.class_statistics(X, y, n_classes)
        scales = start_scales(
            self.init, self._shares()[0], self.delta / 2, n_features, self.neighbouring
        )
        return init.start(
            sums, counts, count_scale=scales[0], sum_scale=scales[1], kind=self.init,
            prototypes_per_class=self.prototypes_per_class, rng=rng,
        )  # fmt: skip

    def _guarantee(self, n_steps: int, n_samples: int) -> Guarantee:
        first, rest = self._shares()
        spent = rest
        if self.noise == "paper" and np.isfinite(rest):
            spent = accounting.epsilon(
                self.noise_multiplier_, self.sample_rate, n_steps, self._step_delta(),
                neighbouring=self.neighbouring,
            )  # fmt: skip
        steps = Part(
            name=f"{n_steps} steps", epsilon=spent, delta=self._step_delta(),
            mechanism=f"Poisson-subsampled Gaussian, σ = {self.noise_multiplier_:.4g}",
        )  # fmt: skip
        return promise(
            (*start_parts(self.init, first, self.delta / 2), steps),
            epsilon=self.epsilon if spent == rest else first + spent,
            delta=self.delta,
            neighbouring=self.neighbouring,
            claimed_epsilon=self.epsilon if self.noise == "paper" else None,
            estimated=self.bounds is None,
            expected_lot=self.sample_rate * n_samples,
        )
