"""Digests of answers: a browser that has only these agrees with the grading on every answer to three digits."""

import numpy as np
import pytest

from dpcore.exercises.measured import Interval, Number
from dpcore.exercises.offline import checks, digest, spelled
from dpcore.exercises.selected import Steps
from ui.exercises.files import load_all

SALT = "of the test"
INSTANCES = {key: exercise.draw(SALT, "somebody") for key, exercise in load_all().items()}
CHECKED = {key: found for key, one in INSTANCES.items() if (found := checks(one, SALT)) is not None}


def fields(part, answer):
    if isinstance(part, Number):
        return [spelled(answer)]
    if isinstance(part, Interval):
        return [spelled(end) for end in answer]
    return ["".join(answer)]


def fits(check, name, given, listed):
    return all(
        digest(SALT, f"{name}.{k}", answer) in known
        for k, (answer, known) in enumerate(zip(given, listed, strict=True))
    )


def test_all_but_figures_and_curves_are_checked():
    left = {
        key: {part.kind for part in INSTANCES[key].exercise.parts}
        for key in INSTANCES.keys() - CHECKED.keys()
    }
    assert left
    assert all(kinds & {"state", "curve"} for kinds in left.values()), left
    assert len(CHECKED) > 50


@pytest.mark.parametrize("key", CHECKED)
def test_right_answers_fit_and_known_mistakes_are_told(key):
    instance = INSTANCES[key]
    right = instance.right_answer()
    for part, check in zip(instance.exercise.parts, CHECKED[key], strict=True):
        assert fits(check, part.name, fields(part, right[part.name]), check["right"])
        assert len(check["wrong"]) == (0 if isinstance(part, Steps) else len(part.wrong))
        for wrong, mistake in zip(part.wrong, check["wrong"], strict=False):
            if isinstance(part, Number):
                given = [spelled(wrong.value[0].number(instance._known.values))]
                assert fits(check, part.name, given, mistake["digests"])
                assert not fits(check, part.name, given, check["right"])
            assert all(mistake["digests"])
            assert mistake["says"]
            assert "{" not in mistake["says"]


@pytest.mark.parametrize("key", CHECKED)
def test_every_number_of_three_digits_has_the_verdict_of_the_app(key):
    rng = np.random.default_rng(len(key))
    instance = INSTANCES[key]
    known = instance._known
    for part, check in zip(instance.exercise.parts, CHECKED[key], strict=True):
        if not isinstance(part, Number):
            continue
        target = part.show_right(known)
        for factor in (*rng.uniform(1 - 2 * part.tolerance, 1 + 2 * part.tolerance, 60), 0, -1, 2):
            given = spelled(target * factor)
            said = fits(check, part.name, [given], check["right"])
            assert said == part.is_right(float(given), known), (part.name, given)
