"""Results as plain arrays: the same bits again, and nothing that could run."""

import json
from dataclasses import dataclass

import numpy as np
import pytest

from dpcore._serialize import Unpackable, pack, unpack
from dpcore.experiments.relevance import RelevanceParams

RNG = np.random.default_rng(0)


@dataclass(frozen=True, kw_only=True)
class Found:
    curve: np.ndarray
    parts: dict


def there_and_back(value):
    return unpack(pack(value))


def same(a, b):
    assert type(a) is type(b)
    if isinstance(a, np.ndarray | np.generic):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert a.tobytes() == b.tobytes()
        assert not isinstance(a, np.ndarray) or a.flags.f_contiguous == b.flags.f_contiguous
    elif isinstance(a, dict):
        assert list(a) == list(b)
        all(same(a[key], b[key]) for key in a)
    elif isinstance(a, tuple | list):
        assert len(a) == len(b)
        all(same(x, y) for x, y in zip(a, b, strict=True))
    elif isinstance(a, Found):
        same(vars(a), vars(b))
    else:
        assert repr(a) == repr(b)
    return True


ARRAYS = [
    RNG.normal(size=(3, 4)),
    RNG.normal(size=(3, 4)).T,
    RNG.normal(size=(6, 4))[::2],
    np.array([np.nan, -0.0, np.inf, 5e-324]),
    np.float32(RNG.normal(size=(2, 0, 3))),
    np.array(["a", "ß"]),
    np.arange(5, dtype=np.uint8),
    np.array(True),
    np.zeros(()),
]


@pytest.mark.parametrize("array", ARRAYS, ids=repr)
def test_arrays_come_back_bit_by_bit_and_can_be_written_to(array):
    found = there_and_back([array, array])
    assert same([array, array], found)
    assert found[0] is found[1], "what is met twice is held once"
    assert found[0].flags.writeable


def test_values_come_back_with_their_kinds():
    value = (1, 1.5, True, None, "ε", float("nan"), [np.float32(2.5)], {2: (), (1, 2): "x"}, -0.0)
    assert same(value, there_and_back(value))
    found = Found(curve=np.arange(3.0), parts={"a": Found(curve=np.zeros(2), parts={})})
    assert same(found, there_and_back(found))
    params = RelevanceParams(epsilon=2.0)
    assert there_and_back(params) == params


@pytest.mark.parametrize("value", [lambda: 0, np.array([None]), {1, 2}, object(), Found, b"x"])
def test_what_could_run_is_not_kept(value):
    with pytest.raises(Unpackable):
        pack([value])


@pytest.mark.parametrize(
    "node",
    [
        ["object", "os", "system", {}],
        ["object", "subprocess", "Popen", {"args": "true"}],
        ["object", "dpcore.__main__", "main", {}],
        ["object", "dpcore.experiments.relevance", "RelevanceParams", {"other": 1}],
        ["object", "antigravity", "fly", {}],
        ["array", "|O", [1], 0, False],
        ["array", "<f8", [10**9], 0, False],
        ["what"],
    ],
)
def test_a_forged_tree_makes_nothing(node):
    arrays = pack(np.arange(3.0)) | {"tree": np.frombuffer(json.dumps(node).encode(), np.uint8)}
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        unpack(arrays)
