"""The attack on an own table from one end to the other: what it finds, and what it would have found."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from dpcore.datasets import OwnChoices, own_table, read_csv
from dpcore.datasets.dataset import split
from dpcore.experiments.choose import neighbouring_pairs
from dpcore.experiments.choose.problem import Problem


def test_one_label_changes_one_training_record():
    first, second = neighbouring_pairs.problems()
    records = [Counter(map(tuple, np.column_stack([p.X, p.y]).tolist())) for p in (first, second)]
    assert first.n_samples == second.n_samples
    assert (records[0] - records[1]).total() <= 1
    assert (np.column_stack([first.X, first.y]) != np.column_stack([second.X, second.y])).any(
        1
    ).sum() == 1


def divided_by_class(raw):
    """The table as it was once prepared: a part of every class, drawn with a fixed seed."""
    columns = tuple("abcdef")
    said = OwnChoices(
        task="classification", target="kind", features=columns,
        bounds=dict.fromkeys(columns, (0.0, 1.0)), public=("n", "classes"),
    )  # fmt: skip
    made = own_table(read_csv(raw), said)
    frame = made.table.frame
    X, y = frame[list(columns)].to_numpy(float), (frame["kind"] == "yes").to_numpy().astype(int)
    train, test = split(y, 1 / 3, 1)
    parts = {"X": X[train], "y": y[train], "X_test": X[test], "y_test": y[test]}
    return Problem(replace(made.data, **parts), own=made)


@pytest.mark.slow
@pytest.mark.parametrize(("by_class", "low", "high"), [(True, 0.8, 1.0), (False, 0.28, 0.732)])
def test_the_attack_sees_a_division_by_class_and_nothing_in_ours(monkeypatch, by_class, low, high):
    """An attacker on a division by class is right in about 95 % of 120 releases; below 80 % in fewer than one of
    10^6 seeds. On ours the attacker guesses, and is outside of 28 to 73.2 % in fewer than one of 10^6 seeds.
    """
    pair = neighbouring_pairs.problems()
    if by_class:
        pair = tuple(divided_by_class(raw) for raw in neighbouring_pairs.tables())
    monkeypatch.setattr(neighbouring_pairs, "problems", lambda: pair)
    neighbouring_pairs._direction.cache_clear()
    (worlds,) = (one for one in neighbouring_pairs.WORLDS if one.name == "own table, softmax")
    rng = np.random.default_rng(3)
    seen = [[worlds.release(there, rng) > 0 for _ in range(60)] for there in (False, True)]
    neighbouring_pairs._direction.cache_clear()
    assert low <= (np.mean(seen[1]) + 1 - np.mean(seen[0])) / 2 <= high
