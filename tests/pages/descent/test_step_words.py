"""The step that stands under Gradient descent is the step that is made, whatever is clipped and noised."""

import itertools

import numpy as np
import pytest

from dpcore.descent import train
from dpcore.experiments.descent import DescentParams
from pages.descent.words import step, step_words


def test_the_proved_step_clips_each_gradient_and_adds_noise_once():
    words = step_words(DescentParams())
    assert r"\sum_i \mathrm{clip}_C(g_i) + \sigma C Z\Big" in step(DescentParams())
    assert "at most C" in words
    assert "drawn once for the step" in words


def test_a_clipped_batch_says_2c_and_divides_before_the_noise():
    params = DescentParams(clipping="batch")
    assert r"\mathrm{clip}_C\Big(\frac{1}{|L|}\sum_{i \in L} g_i\Big) + \sigma C Z" in step(params)
    assert "up to 2C" in step_words(params)
    assert "at most C" not in step_words(params)
    assert "expected size" not in step_words(params)


def test_noise_for_each_record_stands_inside_the_sum():
    params = DescentParams(noise="example")
    assert r"\sum_i \big(\mathrm{clip}_C(g_i) + \sigma C Z_i\big)" in step(params)
    assert "drawn for each record" in step_words(params)
    assert "once for the step" not in step_words(params)


def test_what_is_not_done_is_not_said():
    only_noise, only_clip = DescentParams(parts="noise"), DescentParams(parts="clip")
    assert "clip" not in step(only_noise)
    assert "No gradient is shortened" in step_words(only_noise)
    assert "sigma" not in step(only_clip)
    assert "No noise is added" in step_words(only_clip)


@pytest.mark.parametrize(
    ("clipping", "noise"), [*itertools.product(("example", "batch"), ("lot", "example"))]
)
def test_the_words_divide_by_what_the_training_divides_by(clipping, noise):
    """Noise alone, on records without a gradient, shows what the noise is divided by."""
    params = DescentParams(model="logistic", clipping=clipping, noise=noise)
    recipe = params.recipe()

    class Flat:
        def factors(self, weights, X, y):
            return [(np.zeros((1, len(y), 1)), np.zeros((1, len(y), 1)))]

    moved = train.step(
        Flat(), np.zeros((1, 1)), np.zeros((9, 1)), np.zeros(9), recipe, np.ones((1, 1)), 100
    )
    divided = moved[0, 0] / recipe.clip_norm
    expected = (3 if noise == "example" else 1) / (
        1 if clipping == "batch" else recipe.sample_rate * 100
    )
    assert divided == pytest.approx(expected)
    assert ("expected size qN" in step_words(params)) == (clipping == "example")
