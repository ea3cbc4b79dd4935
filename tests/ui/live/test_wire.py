"""Arrays on the wire: what the browser decodes is what was sent, as exactly as it is declared."""

import base64
import json
import pickle
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ui.live.wire import EXACT, Tolerance, encode, rounded

ROOT = Path(__file__).resolve().parents[3]
NODE = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
DECODE = """
import { decode } from "./assets/live/data/decode.js";
let text = "";
for await (const part of process.stdin) text += part;
const shown = (content) => [content.constructor.name,
  Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64")];
const bytes = (body) => new Uint8Array(Buffer.from(body, "base64"));
console.log(JSON.stringify(JSON.parse(text).map((body) => shown(decode(bytes(body))))));
"""
TYPES = {"Float32Array": np.float32, "Int32Array": np.int32, "Uint8Array": np.uint8}


def decoded(bodies):
    """What the browser's own code makes of bodies."""
    given = json.dumps([base64.b64encode(body).decode() for body in bodies])
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", DECODE],
        input=given, capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    return [
        np.frombuffer(base64.b64decode(raw), TYPES[kind]) for kind, raw in json.loads(done.stdout)
    ]


def cases():
    """Arrays of every kind and shape, with what has to stay special."""
    rng = np.random.default_rng(1)
    noise = rng.standard_normal((7, 5, 11, 2)).astype(np.float32)
    holes = noise.copy()
    holes[2, :, 3] = np.nan
    curve = np.cumsum(rng.standard_normal((20, 30)), axis=0).astype(np.float32)
    strange = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3e38], np.float32)
    whole = rng.integers(-5, 70_000, (4, 9)).astype(np.int32)
    smooth = np.add.outer(np.linspace(0, 9, 12) ** 2, np.cos(np.linspace(0, 3, 40)))[..., None]
    return [
        (noise, EXACT), (noise, Tolerance("linear", (1e-3, 2e-3))),
        (holes, Tolerance("linear", (1e-3, 1e-3))), (curve, Tolerance("linear", (1e-3,))),
        (np.exp(curve / 9), Tolerance("log", (1e-3,))), (curve, EXACT), (strange, EXACT),
        (strange, Tolerance("linear", (1.0,))), (curve, Tolerance("linear", (1e-9,))),
        (whole, EXACT), (abs(whole), EXACT), (whole % 7, EXACT),
        ((whole % 200).astype(np.uint8), EXACT), (np.float32(3.5).reshape(()), EXACT),
        (np.zeros((0, 2), np.float32), EXACT), (np.full((3, 4), np.nan, np.float32), EXACT),
        (np.full((3, 4), np.nan, np.float32), Tolerance("linear", (0.1,))),
        (np.full((3, 4), 2.5, np.float32), Tolerance("linear", (0.1,))),
        (noise[..., 0], Tolerance("linear", (0.05,))),
        ((smooth + np.array([0, 100])).astype(np.float32), Tolerance("linear", (1e-3, 2e-3))),
        ((40 * smooth).astype(np.int32), EXACT),
        (1000 * noise**3, Tolerance("linear", (1e-3, 2e-3), (0.5, 1.5), (5.76, 11.52))),
        (1000 * holes[..., 0] ** 3, Tolerance("linear", (1e-3,), (0.0,), (5.76,))),
    ]  # fmt: skip


def test_the_browser_decodes_what_was_encoded():
    found = decoded([encode(*case) for case in cases()])
    for (values, tolerance), got in zip(cases(), found, strict=True):
        expected = rounded(values, tolerance)
        assert got.dtype == values.dtype
        if np.array_equal(expected, values, equal_nan=True):
            assert got.tobytes() == values.tobytes()  # to the last bit
        else:
            np.testing.assert_allclose(got, expected.ravel(), rtol=1e-6, atol=1e-7)


@settings(deadline=None, max_examples=200)
@given(
    hnp.arrays(
        np.float32, hnp.array_shapes(min_dims=2, max_dims=3, max_side=6),
        elements=st.floats(-1e6, 1e6, width=32) | st.just(float("nan")),
    ),
    st.floats(1e-6, 1e3),
)  # fmt: skip
def test_what_is_looked_at_lies_within_its_error(values, error):
    found = rounded(values, Tolerance("linear", (error,))).astype(float)
    assert (np.isnan(found) == np.isnan(values)).all()
    room = error * (1 + 1e-9) + np.spacing(np.abs(values)).astype(float)
    assert (np.abs(found - values)[~np.isnan(values)] <= room[~np.isnan(values)]).all()


@settings(deadline=None, max_examples=100)
@given(
    hnp.arrays(np.float32, (5, 4), elements=st.floats(np.float32(1e-30), np.float32(1e30), width=32)),
    st.floats(1e-4, 0.5),
)  # fmt: skip
def test_on_a_logarithmic_axis_the_error_is_of_the_logarithm(values, error):
    found = rounded(values, Tolerance("log", (error,))).astype(float)
    assert (np.abs(np.log10(found) - np.log10(values.astype(float))) <= error + 1e-6).all()


def test_columns_have_scales_of_their_own():
    rng = np.random.default_rng(2)
    values = (rng.random((50, 3)) * [1, 1000, 1e-3]).astype(np.float32)
    found = rounded(values, Tolerance("linear", (0.001, 1.0)))
    worst = np.abs(found - values).max(axis=0)
    assert (worst <= [0.001, 1.0, 1e-3 / 65_534]).all()
    assert (worst[:2] > [1e-5, 1e-2]).all()  # no more bits than asked for


@pytest.mark.parametrize(("levels", "width"), [(200, 1), (3000, 2)])
def test_few_levels_take_one_byte(levels, width):
    values = np.linspace(0, 1, 1000, dtype=np.float32).reshape(10, 100)
    assert encode(values, Tolerance("linear", (0.5 / levels,)))[1] == width


def test_what_16_bits_cannot_hold_travels_exactly():
    values = np.array([[0, 1], [1e9, 2]], np.float32)
    assert (rounded(values, Tolerance("linear", (1e-3,))) == values).all()
    assert (rounded(-values, Tolerance("log", (1e-3,))) == -values).all()


def test_positions_far_outside_of_a_panel_do_not_make_all_of_them_exact():
    """Inside a panel from -1 to 2 the error is as declared; outside it grows with the distance."""
    rng = np.random.default_rng(3)
    values = np.clip(rng.standard_cauchy((20_000, 2)) * 3, -900, 900).astype(np.float32)
    error, middle = 3 / 11520, 0.5
    tolerance = Tolerance("linear", (error, error), (middle, middle), (1.5, 1.5))
    assert encode(values, tolerance)[1] == 2
    off = np.abs(rounded(values, tolerance).astype(float) - values)
    inside = np.abs(values - middle) <= 1.5
    assert off[inside].max() <= error * 1.001
    far = error * np.abs(values - middle) / 1.5
    assert (off <= np.maximum(error, far) * 1.001 + np.spacing(np.abs(values))).all()


def times(body):
    """How often a body's values were made differences."""
    return int.from_bytes(body[4:8], "little")


def test_what_is_smooth_along_a_slider_takes_few_bytes():
    """Records that noise spreads, the less the larger ε is: second differences are what is left of them."""
    rng = np.random.default_rng(4)
    spread = 1.13 ** -np.arange(40.0)[:, None, None] * rng.laplace(size=(300, 2))
    values = (rng.random((300, 2)) + spread).astype(np.float32)
    tolerance = Tolerance("linear", (1e-4, 1e-4), (0.5, 0.5), (0.75, 0.75))
    body = encode(values, tolerance)
    mixed = encode(rng.permutation(values), tolerance)
    assert times(body) >= 2
    assert len(zlib.compress(body)) < 0.6 * len(zlib.compress(mixed))


def test_what_comes_again_and_again_is_left_as_it_is():
    rng = np.random.default_rng(5)
    values = np.tile(rng.integers(0, 250, 500).astype(np.uint8), (40, 1)).ravel()
    assert times(encode(values)) == 0
    assert len(zlib.compress(encode(values))) < 1000


def test_a_body_is_pure():
    values = np.arange(12, dtype=np.float32).reshape(3, 4)
    before = pickle.dumps(values)
    assert encode(values) == encode(values)
    assert pickle.dumps(values) == before
