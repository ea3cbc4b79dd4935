"""Saved machine code is void as soon as any module that it was built from changes."""

from pathlib import Path

import pytest

pytest.importorskip("numba")

from dpcore import _jit, _noise_compiled, _vectors
from dpcore.lvq import _compiled, _lanes_compiled, _matrix_compiled, _matrix_lot_compiled
from dpcore.network import _compiled as _network_compiled
from dpcore.regression import _compiled as _systems_compiled

LOOPS = (
    _compiled, _lanes_compiled, _matrix_compiled, _matrix_lot_compiled, _network_compiled,
    _systems_compiled,
)  # fmt: skip


def functions(module):
    return [f for f in vars(module).values() if hasattr(f, "py_func")]


def test_every_module_that_a_loop_calls_counts():
    counted = {path.resolve() for path in _jit.parts()}
    for module in (*LOOPS, _noise_compiled, _vectors, _jit):
        assert Path(module.__file__).resolve() in counted


@pytest.mark.parametrize("module", [*LOOPS, _noise_compiled])
def test_machine_code_is_kept_under_the_text_of_all_of_them(module):
    assert functions(module)
    for function in functions(module):
        assert function._cache._cache_file._source_stamp == _jit.stamp(_jit.parts())


def test_a_change_anywhere_is_another_stamp(tmp_path):
    one, other = tmp_path / "a.py", tmp_path / "b.py"
    one.write_text("clip = 1\n")
    other.write_text("noise = 1\n")
    before = _jit.stamp((one, other))
    other.write_text("noise = 2\n")
    assert _jit.stamp.__wrapped__((one, other)) != before


def test_code_of_another_text_is_compiled_anew(tmp_path, monkeypatch):
    """The reproduction: a function saved under one stamp is not loaded under another."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    from numba import config

    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    def twice(x):
        return 2 * x

    def hits(text):
        monkeypatch.setattr(_jit, "stamp", lambda files: text)
        made = _jit.jit()(twice)
        assert made(3) == 6
        return sum(made.stats.cache_hits.values())

    assert [hits("one"), hits("one"), hits("other"), hits("other")] == [0, 1, 0, 1]
