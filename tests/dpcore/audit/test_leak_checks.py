"""The walk over a fitted object finds what was planted, wherever it hides."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpcore.audit.leak_checks import leaves, secrets, traces, whole_numbers

THREE = np.arange(8.0), np.r_[np.arange(7.0), 100.0], np.linspace(20, 30, 8)


def release(data, rng):
    return data.sum() + rng.normal(size=3)


def fitted(plant):
    def fit(data, seed):
        rng = np.random.default_rng(seed)
        made = SimpleNamespace(released=release(data, rng), n=len(data))
        plant(made, data, rng)
        return made

    return fit


def in_a_view(made, data, rng):
    made.view = np.concatenate([[data.mean()], made.released])[1:]


def among_noisy_numbers(made, data, rng):
    made.released[1] = data.mean()


def deep_down(made, data, rng):
    made.held = [{"a": (np.array([data.mean(), None], object),)}]


def in_text(made, data, rng):
    made.text = f"mean {data.mean()}"


def in_a_shape(made, data, rng):
    made.kept = np.zeros(int(data.max()))


def in_the_names(made, data, rng):
    setattr(made, f"has_{data.max():.0f}", True)


def as_one_number(made, data, rng):
    made.mean = float(data.mean())


LEAKS = [
    in_a_view, among_noisy_numbers, deep_down, in_text, in_a_shape, in_the_names, as_one_number,
]  # fmt: skip


@pytest.mark.parametrize("plant", LEAKS)
def test_an_exact_trace_is_found(plant):
    found = traces(fitted(plant), *THREE)
    assert found.exact
    assert found.noise == ()


def noise_itself(made, data, rng):
    made.noise = made.released - data.sum()
    made.noise = made.noise.round(9)


def the_generator(made, data, rng):
    made.rng = rng


def its_seed(made, data, rng):
    made.seed = int(rng.bit_generator.state["state"]["state"])


@pytest.mark.parametrize("plant", [noise_itself, the_generator, its_seed])
def test_kept_noise_is_found(plant):
    found = traces(fitted(plant), *THREE)
    assert found.exact == ()
    assert found.noise


def test_nothing_is_found_where_nothing_is():
    assert traces(fitted(lambda *_: None), *THREE) == traces(
        fitted(as_one_number), *THREE, declared=["mean", "pickle.mean"]
    )
    assert traces(fitted(lambda *_: None), *THREE).exact == ()


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState, np.random.PCG64])
def test_sources_of_chance_are_found_however_deep(make):
    made = SimpleNamespace(model=SimpleNamespace(parts=[{"x": make(0)}], random_state=5))
    assert secrets(made) == ["model.parts[0]['x']", "model.random_state"]
    assert secrets(SimpleNamespace(random_state=None)) == []


def test_closures_and_cycles_are_walked():
    number = 17.25
    made = SimpleNamespace(call=lambda: number)
    made.self = made
    assert any(
        b"\x40\x31\x40" in bytes.fromhex(str(v)) for v in leaves(made).values() if v.ndim == 0
    )


def test_whole_numbers_are_found_wherever_they_are():
    held = {"a": [3, (2**70, -1)], "b": np.array([[5, 6]]), "c": np.int32(7), "d": 8.0}
    assert whole_numbers(held) == [3, 5, 6, 7, 2**70]
