"""Measurement of the noise of the methods that the Choose ε page compares, for the audit of the stated ε."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore import accounting, sgd
from dpcore.audit.claims import NoiseDraw, loop_noise, ratio, reached
from dpcore.audit.noise_accounting import (
    ada_event,
    calls,
    descent_event,
    output_event,
    statistics_event,
    sums_epsilon,
)
from dpcore.autoencoder import statistics
from dpcore.descent import train as small_models
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, estimators
from dpcore.lvq import matrix_train, train
from dpcore.regression import noise as noises

__all__ = ["noise_draws"]

_SAID: dict[str, Any] = {"room": 0.08, "least": 0.25}


def noise_draws(params: ChooseParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise of one result of every method.

    Affine hulls are left out, since the Affine hulls page measures their noise.
    """
    problem = choose.named_problem(params.dataset)
    for method in problem.methods:
        if method == "hulls":
            continue
        promised = choose.guarantee(params, problem, method)
        measure = _of_class if problem.classifies else _of_number
        event = measure(problem, method, params)
        # Sums of Laplace noise and one Gaussian are measured over what a replaced record moves.
        relation = "replace_one" if isinstance(event, accounting.Repeated) else "add_remove"
        delta = 0.0 if isinstance(event, accounting.Pure) else None
        said: dict[str, Any] = {
            "promised": promised,
            "event": event,
            "delta": delta,
            "neighbouring": relation,
        }
        yield NoiseDraw(what=method, **said, **_SAID)


def _of_class(problem: Any, method: str, params: ChooseParams) -> accounting.Event:
    grid = np.array([params.epsilon])

    def run() -> object:
        return estimators.CLASSIFIER_RUNS[method](problem, grid, params.delta, params.seed)

    if method == "generator":
        with calls(statistics, "add_noise") as noted:
            run()
        one = statistics_event(noted, estimators._sums(problem).clip_norm, units=True)
        return accounting.GaussianEvent(one.noise_multiplier / 2)  # type: ignore[union-attr]
    if method in ("glvq", "gmlvq"):
        module = train if method == "glvq" else matrix_train
        args, named = reached(module, "sweep", run)
        sigma = float(loop_noise(module, named, matrix=method == "gmlvq")[0])
        lots = next(one for one in args if isinstance(one, sgd.Lots))
        return accounting.Repeated(accounting.GaussianEvent(sigma), len(lots.offsets) - 1)
    args, named = reached(estimators, "descend", run)
    model, X = args
    y, recipe, sigmas = (named[name] for name in ("y", "recipe", "noise_multiplier"))
    path = small_models.descend(
        model,
        X,
        y=y,
        recipe=recipe,
        noise_multiplier=sigmas,
        streams=sgd.Streams.of(0),
        snapshots=np.arange(1),
    )
    unit = path.unit[:1]
    start, n = path.weights[:, 0], len(y)
    step = small_models.step(model, start, X[:0], y[:0], recipe, sigmas[0] * unit, n)
    sigma = ratio(step, unit) * recipe.sample_rate * n / recipe.clip_norm
    return accounting.Repeated(accounting.GaussianEvent(sigma), recipe.n_steps)


def _of_number(problem: Any, method: str, params: ChooseParams) -> accounting.Event:
    grid = np.array([params.epsilon])

    def run() -> object:
        return estimators.coefficients(method, problem, grid, params.delta, params.seed)

    if method in ("adassp", "output"):
        name = {"adassp": "ada_ssp", "output": "output_perturbation"}[method]
        args, named = reached(estimators, name, run)
        measure = ada_event if method == "adassp" else output_event
        return measure(float(args[1][0]), named["delta"])
    if method == "descent":
        _, named = reached(estimators, "gradient_descent", run)
        return descent_event(float(named["epsilon"][0]), named["delta"], n_steps=named["n_steps"])
    name = {"joint": "joint_release", "gaussian": "gaussian_statistics"}[method]
    args, named = reached(estimators, name, run)
    rng, d = np.random.default_rng(0), problem.n_features
    if method == "joint":
        unit_noise, scale = noises.joint_noise(d, 4000, rng), noises.laplace_scales(args[1])
        return accounting.Pure(sums_epsilon(unit_noise, method, float(scale[0])))
    unit_noise, scale = (
        noises.gaussian_noise(d, 4000, rng),
        noises.gaussian_scales(args[1], named["delta"]),
    )
    return accounting.GaussianEvent(1 / sums_epsilon(unit_noise, method, float(scale[0])))
