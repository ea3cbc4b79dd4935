"""DP-GLVQ: prototypes with an (ε, δ) guarantee (Brinkrolf, Berger and Hammer 2018)."""

from __future__ import annotations

from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import sgd
from dpcore._declared_bounds import class_index, warn_of_size
from dpcore._fitting import one_fit
from dpcore._types import Floats32, RandomState
from dpcore.guarantee import Neighbouring
from dpcore.lvq import gradients, train
from dpcore.lvq.budget_split import DECLARED, Spending
from dpcore.lvq.glvq import PrototypeClassifier, streams

__all__ = ["DPGLVQ"]


class DPGLVQ(Spending, PrototypeClassifier):
    """Generalised learning vector quantisation with an (ε, δ) guarantee.

    Features are scaled to [-1, 1] by public bounds (values outside are clipped). The prototypes W are initialised
    with noisy class means, which costs ε₁ = ``init_share``·ε. Then training takes T = E/q noisy steps W ← W - η (Σ
    clip_C(g_i) + σ C Z)/(qN) at the remaining cost ε₂. The sum of a step is over a lot (Poisson-sampled batch), g_i
    is record i's gradient of the cost, and Z is standard normal.

    N, the classes and the bounds are public facts that should be declared. A fact that is not declared is read from
    the data. No ε accounts for this reading; ``privacy_`` names the facts that were read.

    Parameters
    ----------
    epsilon, delta : float
        Privacy budget of initialisation and steps together: ε > 0 (inf: no noise at all), δ in (0, 1).
    clip_norm : float
        Clip norm C > 0 of a record's gradient, on the scaled features.
    sample_rate : float
        q in (0, 1], probability that a record joins a lot.
    epochs : float
        E > 0; T = round(E/q) steps.
    init_share : float
        Fraction of ε for the initialisation, in (0, 1). With init "public" the initialisation spends nothing, and the
        steps get all of ε. With init "gaussian" the initialisation and the steps get δ/2 each.
    prototypes_per_class : int
        Number m ≥ 1 of prototypes of each class; does not change the guarantee.
    learning_rate : float
        η > 0.
    schedule : "constant" or "linear"
        Schedule of the learning rate η.
    average : bool
        Whether to release the anytime average of the iterates (post-processing).
    project : bool
        Whether prototypes are clipped to the public domain after each step (post-processing).
    noise : "accountant" or "paper"
        "accountant": the smallest σ at which the steps cost at most ε₂, by composition of privacy loss distributions.
        "paper": σ = 2q √(T ln(1/δ))/ε₂ as published by Brinkrolf, Berger and Hammer (2018). With this σ the steps may
        cost more or less than ε₂; ``privacy_`` has the actual cost.
    init : "gaussian", "laplace" or "public"
        Initialisation of the prototypes: by one Gaussian release of class sizes and sums, by two Laplace releases as
        in the paper, or by points that do not depend on data.
    bounds : (low, high) or None
        Public bounds of the features, each a number or an array (d,). None reads them from the data, with a
        `BoundsEstimatedWarning`. The ε is then nominal.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the guarantee.
    random_state : int, Generator, RandomState or None
        Source of the noise. Use None (fresh entropy of the system) for a real release. A seed that somebody knows, or
        that is used for two releases, voids the guarantee. With a seed ``fit`` therefore warns
        (`SeededNoiseWarning`), and the status is "proved_under_assumption". The same int gives the same model for any
        number of threads. In ``cross_validate`` an int or a Generator gives all folds the same noise, because their
        clones start in the same state.
    expected_n : int or None
        N ≥ 1, a public number of records, such as a round number or the number of last year. Steps are divided by qN.
        It need not be the true number, because another N only changes the step size. None takes the true number of
        records. Under replace_one this number is public. Under add_remove it leaks through the scale of the noise, so
        ``fit`` warns (`SizeFromDataWarning`) and the ε is nominal.
    classes : list or None
        Every class that may occur, whether or not it has records. None reads the classes from y. Under add_remove the
        ε is then nominal, with the same warning. Under replace_one the guarantee then assumes that the classes are
        public.
    lots : "poisson" or "fixed"
        "poisson": every record joins every lot with probability q. "fixed": every lot is a random subset of exactly
        L = max(1, round(qN)) records. This is allowed with replace_one only, and needs more noise.

    Attributes
    ----------
    privacy_ : Guarantee
        Guarantee of the fitted prototypes; its ``status`` tells whether the guarantee is proved or nominal.
    prototypes_ : ndarray (P, d)
        Prototypes in the units of the data.
    prototype_labels_ : ndarray (P,)
        Class of each prototype.
    path_ : ndarray (S, P, d)
        Prototypes at S steps of the training; ``privacy_`` covers all of them together.
    path_epochs_ : ndarray (S,)
        Numbers of epochs after which the prototypes of ``path_`` were stored.
    noise_multiplier_ : float
        Noise multiplier σ of the steps.
    classes_ : ndarray (k,)
        The declared classes, or the classes of y, sorted.

    See Also
    --------
    GLVQ, DPGMLVQ, dpcore.accounting.noise_multiplier

    Notes
    -----
    The noise is only good enough for experiments: a real release needs a cryptographic random generator
    and a discrete mechanism. A data set of one record has an empty neighbour, to which no model can be
    fitted; the guarantee assumes at least one further record.

    References
    ----------
    J. Brinkrolf, K. Berger and B. Hammer, "Differential private relevance learning", ESANN 2018.
    M. Abadi et al., "Deep learning with differential privacy", CCS 2016.

    Examples
    --------
    >>> X, y = [[-1.0], [-0.8], [0.8], [1.0]] * 50, [0, 0, 1, 1] * 50
    >>> model = DPGLVQ(epsilon=4.0, bounds=(-1, 1), expected_n=200, classes=[0, 1], sample_rate=0.1)
    >>> model.fit(X, y).prototypes_.shape, model.privacy_.epsilon, model.privacy_.status
    ((2, 1), 4.0, 'proved')
    """

    def __init__(
        self,
        *,
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
        random_state: RandomState = None,
        expected_n: int | None = None,
        classes: ArrayLike | None = None,
        lots: str = "poisson",
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
        self.expected_n = expected_n
        self.classes = classes
        self.lots = lots

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the private prototypes to labelled records, with the guarantee described in `DPGLVQ`.

        Parameters
        ----------
        X : array (n, d)
            Finite records, in the units of ``bounds``; values outside are clipped.
        y : array (n,)
            Class of each record; if ``classes`` is given, all must be in that list.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter is outside its range, or a label is not in ``classes``.
        """
        with one_fit(self, X):
            self._check()
            X, index = self._inputs(X, y, self.classes)
            self._box = self._domain(X)
            if self.neighbouring == "add_remove":
                warn_of_size(tuple(n for n in DECLARED if getattr(self, n) is None))
            labels = np.repeat(np.arange(len(self.classes_)), self.prototypes_per_class)
            chance = streams(self.random_state)
            n_steps, rate, lot = self._n_steps(), self._rate(len(X)), self._expected_lot(len(X))
            self.noise_multiplier_ = self._noise_multiplier(n_steps, rate)
            steps = np.unique(np.linspace(0, n_steps, 41).round().astype(int))
            options: dict[str, Any] = {
                "noise_multiplier": self.noise_multiplier_, "clip_norm": self.clip_norm,
                "learning_rate": self.learning_rate, "expected_lot": lot, "key": chance.key,
                "snapshots": steps, "schedule": self.schedule, "average": self.average,
                "bounds": (-1.0, 1.0) if self.project else None,
            }  # fmt: skip
            inside = self._box.scale(X)
            first = self._start(inside, index, chance.start)
            lots = self._draw_lots(len(X), n_steps, chance.lots)
            path = self._descend(inside, index, first, labels, lots, options)
            self.path_ = self._box.unscale(path)
            self.path_epochs_ = steps * self.sample_rate
            self.prototypes_ = self.path_[-1]
            self.prototype_labels_ = self.classes_[labels]
            self._seal(self._guarantee(
                n_steps, lot, rate, noise_multiplier=self.noise_multiplier_,
                n_released=self._n_released(len(self.classes_), X.shape[1]),
            ))  # fmt: skip
        return self

    def clipped_share(self, X: ArrayLike, y: ArrayLike) -> float:
        """Return the fraction of records with a gradient longer than the clip norm C at the fitted model.

        The fraction is computed from the records without noise. It is for the holder of the data, not for release.

        Parameters
        ----------
        X, y : array (n, d), (n,)
            Records and their classes.

        Returns
        -------
        float
            Fraction in [0, 1].
        """
        check_is_fitted(self)
        X, y = (np.asarray(a) for a in validate_data(self, X, y, dtype=np.float64, reset=False))
        norms = self._norms(self._box.scale(X), class_index(y, self.classes_)[1])
        return float((norms > self.clip_norm).mean())

    def _norms(self, X: NDArray[np.float32], y: NDArray[np.int64]) -> NDArray[Any]:
        """Return the norms (n,) of the gradients of scaled records X (n, d) at the fitted model."""
        prototypes, labels = self._prototypes()
        return gradients.gradient_norms(X, y, W=prototypes, labels=labels)

    def _descend(
        self,
        X: NDArray[np.float32],
        y: NDArray[np.int64],
        first: NDArray[np.float32],
        labels: NDArray[np.int64],
        lots: sgd.Lots,
        options: dict[str, Any],
    ) -> NDArray[np.float32]:
        """Train from the prototypes ``first``; return the prototypes (S, P, d) at S snapshots."""
        return cast(Floats32, train.sweep(X, y, first, labels, lots, **options)[0])
