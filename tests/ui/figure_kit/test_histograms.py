"""Histograms of two worlds: every score stands in a bar, and the axes follow what is drawn."""

import numpy as np
import pytest

from ui.figure_kit.histograms import both_worlds, score_edges, share_axis, shares
from ui.live import Array, Panel


def test_bars_span_the_scores_at_most_values_of_the_handles_and_hold_all():
    draws = np.random.default_rng(5).normal(size=(40, 10))
    draws[:, 9] *= 30  # one with much noise
    edges = score_edges(draws, draws + 0.5)
    assert 2 <= edges[-1] <= 4
    assert -4 <= edges[0] <= -1.5
    assert len(edges) <= 22
    counts = shares(draws.T, edges)
    assert counts.shape == (10, len(edges) - 1)
    np.testing.assert_allclose(counts.sum(-1), 1)


def test_equal_scores_have_a_bar():
    edges = score_edges(np.full((8, 3), 2.0))
    assert edges[0] <= 2 <= edges[-1]
    assert len(edges) >= 2


@pytest.mark.parametrize(("tallest", "top"), [(0.19, 0.2), (0.3, 0.35), (0.99, 1.0)])
def test_the_axis_ends_above_the_tallest_bar(tallest, top):
    assert share_axis("share", np.full((4, 3), tallest)).range == (0.0, top)


def test_a_panel_of_both_worlds_has_axes_before_there_are_bars():
    arrays = {
        "ends": Array(np.array([-3.0, 0.0, 5.0], np.float32), (None,)),
        "out": Array(np.array([[0.5, 0.5]], np.float32), ("v", None)),
        "in": Array(np.array([[0.3, 0.7]], np.float32), ("v", None)),
    }
    panels = [
        Panel(key="a", title="A", **both_worlds(known, "ends", "out", "in", title="score"))
        for known in ({}, arrays)
    ]
    assert [panel.x.title for panel in panels] == ["score"] * 2
    assert [panel.x.range for panel in panels] == [(-1.0, 1.0), (-3.0, 5.0)]
    assert [panel.y.range for panel in panels] == [(0.0, 0.1), (0.0, 0.8)]
    assert not panels[0].layers
    assert [(bars.heights, bars.role) for bars in panels[1].layers] == [
        ("out", "other"),
        ("in", "private"),
    ]
