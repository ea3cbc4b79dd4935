"""Arrays of numbers that the panels of the Autoencoder page draw."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import EPSILONS as PAPER_EPSILONS
from dpcore.autoencoder import KINDS, paper
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import (
    Attacks,
    Audit,
    AutoencoderParams,
    Irregular,
    Pair,
    Renoised,
    Rivals,
    Synthetic,
)
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms import gaussian_sigma
from ui.figure_kit.common import EPSILONS, array, in_bytes
from ui.figure_kit.preview import Previews, instead_of, stack_previews
from ui.live import OUTCOME, Array

if TYPE_CHECKING:
    from pages.autoencoder.shown import Pictures, Shown

__all__ = ["COORDS", "FAR", "arrays", "preview_arrays"]

Floats = NDArray[np.floating[Any]]
COORDS = {"u": "u_of", "v": "v_of", "w": "w_of"}
FAR = 8.0  # widths of the noise from which on two people are drawn this far apart
_BELL = np.linspace(-4, 4, 61)


def arrays(
    params: AutoencoderParams, answer: Shown, *, with_networks: bool = False
) -> dict[str, Array]:
    """Return all arrays of the page's figure.

    The axis "u" of an array runs over the noise levels of released images, the axis "v" over those of attacks.
    ``with_networks`` adds the arrays of networks trained by DP-SGD.
    """
    if params.real:
        return _real_arrays(params, answer) | _of_person(params, answer)
    return {
        **_places(answer),
        **_of_person(params, answer),
        **_attacks(answer.attacks or autoencoder.no_attacks()),
        **_outcomes(answer),
        **_face_off(answer),
        **_rival_arrays(params, answer),
        **(_network_arrays(answer) if with_networks else {}),
        **_printed_arrays(answer),
    }


def _of_person(params: AutoencoderParams, answer: Pictures) -> dict[str, Array]:
    """Return the arrays that depend on the person whose digit images are shown."""
    sweep = answer.sweep
    if params.real:
        return {"originals": in_bytes(sweep.originals)}
    return {
        **_pictures(answer),
        **_similarity(answer),
        **_worlds(answer.pair),
        "released": in_bytes(sweep.released, "u"),
        "people": in_bytes(np.stack([sweep.originals, sweep.clean])),
        "thirty": in_bytes(_smaller(sweep.draws, answer.problem.shape), "u", "kind"),
    }


def _places(answer: Shown) -> dict[str, Array]:
    eps, delta = np.array(EPSILON_GRID)[:, None], np.array(DELTA_GRID)
    moved = autoencoder.effective_epsilon(1.0, delta)[:, None]
    return {
        "u_of": array(
            autoencoder.place_of(eps, delta, answer.problem.nodes), "epsilon", "delta"
        ),
        "v_of": array(autoencoder.place_of(eps, delta, autoencoder.LEVELS), "epsilon", "delta"),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "node_x": array(answer.problem.nodes / moved, "delta"),
        "level_x": array(np.array(autoencoder.LEVELS) / moved, "delta"),
        "sigma": array(autoencoder.noise_table(), "epsilon", "delta", "kind"),
    }  # fmt: skip


def _smaller(pictures: Floats, shape: tuple[int, int]) -> Floats:
    """Return images, reduced to half their height and width if they have more than 16 rows, to send fewer bytes."""
    high, wide = shape
    if high <= 16:
        return pictures
    split = pictures.reshape(*pictures.shape[:-1], high // 2, 2, wide // 2, 2)
    smaller: Floats = split.mean((-3, -1)).reshape(*pictures.shape[:-1], -1)
    return smaller


def _pictures(answer: Pictures) -> dict[str, Array]:
    sweep, pair = answer.sweep, answer.pair
    first = sweep.draws[:, :, 0]
    means = [np.stack([first, sweep.mean_of(k)], axis=2) for k in autoencoder.DRAWS]
    still = np.stack([sweep.original, sweep.clean[sweep.digit]])
    both = np.stack([sweep.original, answer.problem.everyone[pair.row]])
    return {
        "large": in_bytes(np.stack(means, axis=2), "u", "kind", "draws"),
        "large_still": in_bytes(still),
        "two": in_bytes(np.stack([first, pair.released], axis=2), "u", "kind"),
        "two_still": in_bytes(both),
    }


def _similarity(answer: Pictures) -> dict[str, Array]:
    similarity, base = answer.similar, answer.baselines
    marks = [[np.column_stack([PAPER_EPSILONS, paper.TABLES[k].hellinger])] for k in KINDS]
    return {
        "own_bins": array(similarity.own),
        "bins": array(similarity.bins, "u", "kind"),
        "h_low": array(similarity.low.T, "kind"),
        "h_middle": array(similarity.middle.T, "kind"),
        "h_high": array(similarity.high.T, "kind"),
        "h_now": array(similarity.middle, "u", "kind"),
        "h_paper": array(np.swapaxes(marks, 1, 2), "kind"),
        "zero": Array(np.zeros(1, np.int32), (None,)),
        "h_other": array(base.other_digit),
        "h_same": array(base.same_digit),
        "h_clean": array(base.clean),
        "method_error": array(similarity.clean_error),
        "noise_error": array(similarity.error - similarity.clean_error, "u", "kind"),
        "off": array(np.sqrt(similarity.error), "u", "kind"),
    }


def _dots(places: Floats, height: float) -> Floats:
    """Return points (..., n, 1, 2) to draw, with the x coordinates ``places`` (..., n).

    The y coordinate of each point is ``height`` plus a small random shift, so that fewer points overlap.
    """
    up = height + np.random.default_rng(11).uniform(-0.05, 0.05, places.shape[-1])
    return np.stack([places, np.broadcast_to(up, places.shape)], -1)[..., None, :]


def _worlds(pair: Pair) -> dict[str, Array]:
    ratio = pair.ratio[..., None]
    half = np.minimum(ratio, FAR) / 2  # both lie about the middle of the picture
    return {
        "bell_here": array(_BELL - half, "u", "kind"),
        "bell_there": array(_BELL + half, "u", "kind"),
        "bell": array(np.exp(-np.square(_BELL) / 2)),
        "dots_here": array(_dots(ratio * pair.here - half, -0.1), "u", "kind"),
        "dots_there": array(_dots(ratio * (pair.there - 1) + half, -0.24), "u", "kind"),
        "ratio": array(pair.ratio, "u", "kind"),
        "true_epsilon": array(pair.epsilon, "epsilon", "delta", "kind"),
        "pair_curve": array(np.moveaxis(pair.epsilon, 0, -1), "delta", "kind"),
        "typical_curve": array(np.moveaxis(pair.typical_epsilon, 0, -1), "delta", "kind"),
    }


def _attacks(attacks: Attacks) -> dict[str, Array]:
    names = ("alone", "informed", "batch", "cancelled", "area")
    return {
        **{f"{n}_now": array(getattr(attacks, n), "v", "kind") for n in names},
        **{f"{n}_curve": array(getattr(attacks, n).T, "kind") for n in names},
        "averages": array(attacks.averages, "v", "kind"),
        "averages_now": array(attacks.averages, "v", "kind", "draws"),
        "draws_now": array(autoencoder.DRAWS, "draws"),
        "hits": array(attacks.hits, "v", "kind"),
        "plain_hits": array(attacks.plain_hits),
        "refit_hits": array(attacks.refit_hits),
        "plain_area": array(attacks.plain_area),
        "refit_area": array(attacks.refit_area),
    }


def _face_off(answer: Shown) -> dict[str, Array]:
    """Return the arrays of the game in which a reader and an attacker guess which picture was published.

    The attacker's guesses are NaN until the attack has run.
    """
    face_off = answer.face_off
    if face_off is None:
        return {}
    linked = (answer.attacks or autoencoder.no_attacks()).linked
    picked = autoencoder.picked_among(face_off, linked)[..., None]
    votes = np.where(np.isnan(picked), np.nan, picked == np.arange(autoencoder.N_CANDIDATES + 1))
    return {
        "face_published": in_bytes(face_off.released, "u", "kind"),
        "face_candidates": in_bytes(answer.problem.everyone[face_off.candidates]),
        "face_truth": Array(face_off.truth.astype(np.int32), (None,)),
        "face_votes": array(votes, "v", "kind"),
    }


def _outcomes(answer: Shown) -> dict[str, Array]:
    """Return the images that other noise draws release, from the ten pictures and from a neighbouring data set.

    In the neighbouring data set, one of the ten pictures is replaced by another picture.
    """
    found = answer.outcomes
    if found is None:
        return {}
    return {
        "outcome_released": in_bytes(found.released, OUTCOME),
        "other_released": in_bytes(found.other, OUTCOME),
        "other_people": in_bytes(found.people),
    }


def _real_arrays(params: AutoencoderParams, answer: Shown) -> dict[str, Array]:
    scale = np.array([gaussian_sigma(1.0, e, delta=params.delta) for e in EPSILON_GRID])
    ratio = (1 / scale)[:, None]
    half = np.minimum(ratio, FAR) / 2
    noise = np.random.default_rng((params.seed, 6)).standard_normal((2, 40))
    by_name = {
        "epsilon_now": array(EPSILONS, "epsilon"),
        "bell_here": array(_BELL - half, "epsilon"),
        "bell_there": array(_BELL + half, "epsilon"),
        "bell": array(np.exp(-np.square(_BELL) / 2)),
        "dots_here": array(_dots(noise[0] - half, -0.1), "epsilon"),
        "dots_there": array(_dots(noise[1] + half, -0.24), "epsilon"),
        "zero": Array(np.zeros(1, np.int32), (None,)),
        "ratio": array(ratio[:, 0], "epsilon"),
    }  # fmt: skip
    return by_name | _synthetic(answer.synthetic) | _audit(answer.audit)


def _audit(audit: Audit | None) -> dict[str, Array]:
    unknown = np.full(len(EPSILON_GRID), np.nan)
    certified = unknown if audit is None else audit.certified
    return {
        "demonstrated": array(certified, "epsilon"),
        "demonstrated_curve": array(certified),
    }


def _synthetic(synthetic: Synthetic | None) -> dict[str, Array]:
    if synthetic is None:
        return {}
    useful = _between(synthetic.accuracy)
    return {
        "invented": in_bytes(synthetic.pictures, "epsilon"),
        "useful": array(useful, "epsilon"),
        "useful_curve": array(useful),
        "noiseless": array(synthetic.noiseless),
        "taught_real": array(synthetic.taught_real),
        "method_price": array(synthetic.noiseless - synthetic.taught_real),
        "noise_price": array(useful - synthetic.noiseless, "epsilon"),
    }


def _between(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fill the NaN entries of ``values`` (E,), one value per ε, by linear interpolation.

    NaN stands for a value that is not computed yet.
    """
    known = np.flatnonzero(np.isfinite(values))
    if len(known) < 2:
        return values
    return np.interp(np.arange(len(values)), known, values[known])


def _rival_arrays(params: AutoencoderParams, answer: Shown) -> dict[str, Array]:
    """Return the arrays of the tab that compares three methods of publishing digits.

    Values that are not computed yet are NaN.
    """
    rivals = answer.rivals or autoencoder.no_rivals(answer.problem.everyone.shape[1])
    return {
        "rivals": _tiles(params, answer, rivals),
        "bias_taught": array(rivals.bias_taught, "kind"),
        "network_taught": array(rivals.network_taught),
        "generator_taught": array(rivals.generator_taught),
        "real_taught": array(rivals.taught_real),
        "bias_error": array(rivals.bias_error, "kind"),
        "network_error": array(rivals.network_error),
        "no_noise_error": array(answer.problem.test_loss),
        "bias_seconds": array(rivals.bias_seconds),
        "network_seconds": array(rivals.network_seconds),
        "generator_seconds": array(rivals.generator_seconds),
        "once_seconds": array(rivals.once[0]),
    }


def _network_arrays(answer: Shown) -> dict[str, Array]:
    """Return the arrays of networks trained by DP-SGD: their images, reconstruction errors and ε.

    The axes are the clipping norm C, the sampling rate q and the noise index w. Values of networks that are not
    trained yet are NaN.
    """
    networks, originals = answer.networks, answer.sweep.originals
    released = np.swapaxes(answer.sweep.released, 0, 1)
    both = np.stack([np.broadcast_to(originals, released.shape), released], axis=2)
    by_name = {
        "both_rows": in_bytes(both.swapaxes(0, 1), "u", "kind"),
        "w_of": array(autoencoder.network_places(), "epsilon", "delta", "sample_rate"),
        "network_epsilon": array(autoencoder.network_costs(), "epsilon", "delta", "sample_rate"),
    }
    if networks is None:
        unknown = np.full(originals.shape, np.nan)
        return by_name | {"trained": array(unknown), "trained_off": array(np.nan)}
    redrawn = networks.redrawn(originals)
    whole = np.isfinite(networks.error).all()
    return by_name | {
        "trained": (in_bytes if whole else array)(redrawn, "clip_norm", "sample_rate", "w"),
        "trained_off": array(np.sqrt(networks.error), "clip_norm", "sample_rate", "w"),
    }


def _tiles(params: AutoencoderParams, answer: Shown, rivals: Rivals) -> Array:
    """Return the images of the chosen digit that four methods publish, at the seven ε of Jain et al.

    For each kind of noise on the biases there is a table of images, with a row per method and a column per ε.
    """
    digit, seven = params.digit, answer.sweep.seven
    redrawn = rivals.redrawn[:, digit, params.person - 1]
    rest = np.concatenate([redrawn, rivals.invented[:, digit], rivals.generated[:, digit]])
    if not np.isfinite(rest).all():
        return array(np.full((3, 28, seven.shape[-1]), np.nan), "kind")
    every = [np.concatenate([one, rest]) for one in seven[:, :, digit].swapaxes(0, 1)]
    return in_bytes(np.stack(every), "kind")


def _printed_arrays(answer: Shown) -> dict[str, Array]:
    """Return the arrays of the three tabs that repeat figures and claims of Jain et al.

    Values that are not computed yet are NaN.
    """
    return _samples(answer) | _similar_histograms(answer.irregular) | _again(answer.renoised)


def _samples(answer: Shown) -> dict[str, Array]:
    sevens = answer.sweep.seven
    return {
        "samples": in_bytes(answer.sweep.originals),
        **{
            f"samples_{kind}": in_bytes(sevens[:, k].reshape(70, -1))
            for k, kind in enumerate(KINDS)
        },
    }


def _similar_histograms(histograms: Irregular | None) -> dict[str, Array]:
    unknown = np.full((3, 7), np.nan)
    H, BC = (
        (unknown, unknown)
        if histograms is None
        else (histograms.hellinger, histograms.bhattacharyya)
    )
    return {f"{kind}_h": array(H[k]) for k, kind in enumerate(KINDS)} | {
        f"{kind}_bc": array(BC[k]) for k, kind in enumerate(KINDS)
    }


def _again(renoised: Renoised | None) -> dict[str, Array]:
    names = ("printed", "alone", "original", "shown_release", "shown_original")
    unknown = np.full(len(EPSILON_GRID), np.nan)
    return {
        f"again_{name}": array(unknown if renoised is None else getattr(renoised, name))
        for name in names
    }


def preview_arrays(
    params: AutoencoderParams, pictures: Mapping[str, tuple[Pictures, ...]]
) -> Previews:
    """Return the arrays that are drawn while a slider moves and, for each slider, which arrays they replace.

    ``pictures`` maps the name of a slider to the images computed at each of its values.
    """
    controls = params.controls()
    return instead_of({
        name: _over_values(name, params.but(**{name: controls[name].default}), each)
        for name, each in pictures.items()
    })  # fmt: skip


@lru_cache(maxsize=16)
def _over_values(
    name: str, params: AutoencoderParams, each: tuple[Pictures, ...]
) -> dict[str, Array]:
    """Return the arrays computed at every value of the control ``name``, with all other controls fixed."""
    nodes = each[0].problem.nodes
    places = {
        "u": float(autoencoder.place_of(params.epsilon, params.delta, nodes)),
        "epsilon": EPSILON_GRID.index(params.epsilon),
        "delta": DELTA_GRID.index(params.delta),
        "kind": KINDS.index(params.kind),
        "draws": autoencoder.DRAWS.index(params.draws),
    }
    return stack_previews(name, [_of_person(params, one) for one in each], places)
