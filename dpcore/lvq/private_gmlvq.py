"""DP-GMLVQ: prototypes and a relevance matrix with an (ε, δ) guarantee (Brinkrolf et al. 2018)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import sgd
from dpcore._types import Floats32, RandomState
from dpcore.guarantee import Neighbouring
from dpcore.lvq import matrix, matrix_train
from dpcore.lvq.gmlvq import MatrixClassifier
from dpcore.lvq.private import DPGLVQ

if TYPE_CHECKING:
    from sklearn.base import Tags

__all__ = ["DPGMLVQ"]


class DPGMLVQ(MatrixClassifier, DPGLVQ):
    """Generalised matrix LVQ with an (ε, δ) guarantee.

    Training works as in `DPGLVQ`, with distances |Ω (x - w)|² on the scaled features. The gradient g_i of a sample
    with respect to all prototypes W and to Ω is clipped as one vector. Noise of the same scale σC is added to both:
    (W, Ω) ← (W, Ω) - η (Σ clip_C(g_i) + σ C Z)/(qN), with Z standard normal. Ω starts at the identity, or at fixed
    directions if ``rank`` is below d. This start does not depend on data and costs no ε.

    Parameters
    ----------
    epsilon, delta : float
        Privacy budget of initialisation and steps together: ε > 0 (inf: no noise at all), δ in (0, 1).
    clip_norm : float
        Clip norm C > 0 of the joint gradient with respect to prototypes and Ω. For large data sets 2 is better than
        the 0.5 of the paper. With 0.5 the bias by clipping outweighs the noise.
    rank : int or None
        Number l of rows of Ω, from 1 to d; None is d. Does not change the guarantee.
    sample_rate, epochs, init_share, prototypes_per_class, learning_rate, schedule, average
        Settings of initialisation and steps, see `DPGLVQ`; the average is of prototypes and of matrices.
    project : bool
        Whether prototypes, but not Ω, are clipped to the public domain after each step (post-processing).
    noise, init, bounds, neighbouring, random_state, expected_n, classes, lots
        Settings of noise, public facts, source of the noise, and kind of lots, see `DPGLVQ`. If bounds, N or classes
        are not declared, the ε is nominal. With a seed the guarantee assumes that the seed stays secret.

    Attributes
    ----------
    privacy_ : Guarantee
        Guarantee of the fitted prototypes and matrix together; its ``status`` tells whether the guarantee is proved
        or nominal.
    prototypes_ : ndarray (P, d)
        Prototypes in the units of the data.
    prototype_labels_ : ndarray (P,)
        Class of each prototype.
    omega_ : ndarray (l, d)
        The matrix Ω, for features divided by half the width of their public bounds.
    relevances_ : ndarray (d,)
        Relevance of each scaled feature: the diagonal of Λ = ΩᵀΩ, scaled to sum 1. This is post-processing of Ω.
    path_, omega_path_ : ndarray (S, P, d), (S, l, d)
        Prototypes and matrices at S steps of the training; ``privacy_`` covers all of them together.
    path_epochs_ : ndarray (S,)
        Numbers of epochs after which the models of the path were stored.
    noise_multiplier_ : float
        Noise multiplier σ of the steps.
    classes_ : ndarray (k,)
        The declared classes, or the classes of y, sorted.

    See Also
    --------
    GMLVQ, DPGLVQ

    References
    ----------
    J. Brinkrolf, K. Berger and B. Hammer, "Differential private relevance learning", ESANN 2018.
    P. Schneider, M. Biehl and B. Hammer, "Adaptive relevance matrices in learning vector
    quantization", Neural Computation 21(12), 2009.

    Examples
    --------
    >>> X, y = [[-1.0, 1], [-0.8, -1], [0.8, 1], [1.0, -1]] * 50, [0, 0, 1, 1] * 50
    >>> model = DPGMLVQ(epsilon=4.0, bounds=(-1, 1), expected_n=200, classes=[0, 1], sample_rate=0.1)
    >>> model.fit(X, y).omega_.shape, model.privacy_.epsilon, model.privacy_.status
    ((2, 2), 4.0, 'proved')
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        clip_norm: float = 0.5,
        rank: int | None = None,
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
        super().__init__(
            epsilon=epsilon,
            delta=delta,
            clip_norm=clip_norm,
            sample_rate=sample_rate,
            epochs=epochs,
            init_share=init_share,
            prototypes_per_class=prototypes_per_class,
            learning_rate=learning_rate,
            schedule=schedule,
            average=average,
            project=project,
            noise=noise,
            init=init,
            bounds=bounds,
            neighbouring=neighbouring,
            random_state=random_state,
            expected_n=expected_n,
            classes=classes,
            lots=lots,
        )
        self.rank = rank

    def _descend(
        self,
        X: NDArray[np.float32],
        y: NDArray[np.int64],
        first: NDArray[np.float32],
        labels: NDArray[np.int64],
        lots: sgd.Lots,
        options: dict[str, Any],
    ) -> NDArray[np.float32]:
        path = matrix_train.sweep(
            X, y, first, matrix.start(X.shape[1], self.rank), labels, lots, **options
        )
        self.omega_path_ = path.omegas[0].astype(float)
        self._set_omega(self.omega_path_[-1])
        return cast(Floats32, path.prototypes[0])

    def _norms(self, X: NDArray[np.float32], y: NDArray[np.int64]) -> NDArray[Any]:
        W, labels = self._prototypes()
        return matrix.gradient_norms(X, y, W, self.omega_, labels)

    def _n_released(self, n_classes: int, n_features: int) -> int:
        rank = n_features if self.rank is None else self.rank
        return super()._n_released(n_classes, n_features) + rank * n_features

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # On small data a small ε leaves mostly noise in the matrix.
        tags.classifier_tags.poor_score = True
        return tags
