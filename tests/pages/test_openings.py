"""Results that the project contains for the parameters with which pages open are those computed anew."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from dpcore import disk_cache
from pages import specs
from tools.openings import opening_result
from ui.frame.page_spec import PageSpec
from ui.runner.look import Look
from ui.runner.prepared_result import opening_file

SHIPPED = [
    (spec, stage.name)
    for spec in specs()
    if isinstance(spec, PageSpec)
    for stage in spec.pipeline.stages
    if stage.ships
]
NAMES = [f"{spec.key}-{stage}" for spec, stage in SHIPPED]
MOST_BYTES = 280_000


def items(value):
    """Return the parts of a dataclass, dictionary or tuple by name, or None for another value."""
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, (tuple, list)) else None


def assert_equal(stored, now, path):
    """Check that two results are equal, up to what other kernels round differently."""
    assert type(stored) is type(now), path
    parts = items(now)
    if parts is not None:
        assert list(items(stored)) == list(parts), path
        for key, value in parts.items():
            assert_equal(items(stored)[key], value, f"{path}.{key}")
    elif isinstance(now, (float, np.ndarray)):
        np.testing.assert_allclose(stored, now, rtol=1e-4, atol=2e-5, err_msg=path)
    else:
        assert stored == now, path


def test_some_pages_ship_results():
    assert SHIPPED


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "stage"), SHIPPED, ids=NAMES)
def test_what_is_stored_is_what_the_page_computes(spec, stage):
    file = opening_file(spec.pipeline.name, stage)
    stored = disk_cache.read(file)
    assert stored is not None, "python -m tools.openings --only-shipped has not been run"
    assert_equal(stored, opening_result(spec, stage), f"{spec.key}-{stage}")


@pytest.mark.parametrize("page", sorted({spec.pipeline.name for spec, _ in SHIPPED}))
def test_the_files_of_a_page_are_small(page):
    files = [opening_file(page, stage) for spec, stage in SHIPPED if spec.pipeline.name == page]
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


@pytest.mark.parametrize(("spec", "stage"), SHIPPED, ids=NAMES)
def test_a_page_opens_with_them_on_a_new_server_and_other_parameters_do_not(
    spec, stage, tmp_path, monkeypatch
):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path))
    monkeypatch.delenv("DPCORE_PREPARED", raising=False)
    usual = spec.params()
    for params, known in ((usual, True), (usual.but(seed=usual.seed + 7), False)):
        work = Look(spec.pipeline, params)._job(spec.pipeline.stage(stage))[2]
        assert (work.ready() is not None) is known
