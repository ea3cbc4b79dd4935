"""What a model by objective perturbation promises, in words."""

from __future__ import annotations

from dpcore.descent.objective import SOLVER_SHARE, ObjectiveNoise
from dpcore.guarantee import Guarantee, Neighbouring, Part

__all__ = ["ARGUMENT", "DECLARED", "objective_guarantee"]

DECLARED = {"expected_n": "n", "classes": "the classes"}
"""What has to be declared, by the name of the parameter."""
ARGUMENT = (
    "A random linear term is added to a strongly convex objective. One record changes the term that gives the "
    "same minimum by a bounded vector, and the volume around it by a bounded factor. The solver stops close to "
    "the minimum, and noise on its result hides how close."
)
_SAME_CLASSES = "the two classes are public: here they were read from y"


def objective_guarantee(
    epsilon: float,
    delta: float,
    noise: ObjectiveNoise,
    n_samples: int,
    *,
    neighbouring: Neighbouring,
    estimated: bool = False,
    undeclared: tuple[str, ...] = (),
) -> Guarantee:
    """Return the guarantee of weights by `objective_noise`, before any seed.

    Nominal where the bounds were ``estimated``, or under add_remove where parameters of `DECLARED` are
    ``undeclared``; classes that were read are an assumption under replace_one.
    """
    replaced = neighbouring == "replace_one"
    found = Guarantee(
        epsilon=float(epsilon),
        delta=float(delta),
        neighbouring=neighbouring,
        status="proved",
        argument=ARGUMENT,
        public=(
            "bounds of every feature",
            f"the number {'of records ' * replaced}n = {n_samples}{' of the curvature' * (not replaced)}",
            "the two classes",
            "every setting",
        ),
        not_protected=(
            "what a person shares with the whole group: a good model may well reveal that",
            "the choice of settings by looking at private results",
            "other leaks, such as the time the solver takes: the noise is made for experiments, not for release",
        ),
        parts=_parts(float(epsilon), float(delta), noise),
    )
    read = ("the bounds",) * estimated
    read += () if replaced else tuple(DECLARED[name] for name in undeclared)
    found = found.having_read(*read)
    return found.assuming(_SAME_CLASSES) if replaced and "classes" in undeclared else found


def _parts(epsilon: float, delta: float, noise: ObjectiveNoise) -> tuple[Part, ...]:
    kind = "Gamma length" if noise.pure else "Gaussian"
    tilt = f"{kind}, scale {noise.scale:.3g}, curvature m = {noise.curvature:.3g}"
    shares = {
        "linear term and curvature": (1 - SOLVER_SHARE, tilt),
        "error of the solver": (SOLVER_SHARE, kind),
    }
    return tuple(
        Part(name=name, epsilon=share * epsilon, delta=share * delta, mechanism=words)
        for name, (share, words) in shares.items()
    )
