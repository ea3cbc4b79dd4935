"""Neighbouring tables have neighbouring training records, whatever the one row holds and was chosen."""

import itertools
from collections import Counter

import numpy as np
import pytest

from dpcore.datasets import OwnChoices, own_table, read_csv
from dpcore.datasets._sides import row_codes, sides
from dpcore.experiments import choose, kahm, matrix, regression, relevance

N = 45
HEAD = "id,age,pay,city,kind"
FEATURES = ("age", "pay")
SAID = {
    "features": FEATURES,
    "bounds": {"age": (0.0, 100.0), "pay": (0.0, 9.0)},
    "public": ("n", "classes"),
    "classes": ("0", "1", "x"),
    "n_rows": N,
}
TASKS = {"classification": "kind", "regression": "pay"}
RELATIONS = ("add_remove", "replace_one")
EMPTY = ("refuse", "leave_out", "middle")
ALL = list(itertools.product(TASKS, RELATIONS, EMPTY))


def row(rng, gaps):
    """A row of few values, so that rows repeat; as text a cell may be written in many ways."""
    cells = [
        str(rng.integers(0, 2)),
        rng.choice(["30", "30.0", "31", "47.5", " 30"]),
        rng.choice(["3", "4", "12", "-1e3", "2.5"]),
        rng.choice(["Oslo", "1", "1.0", ""]),
        rng.choice(["0", "1", "x", "1.0", "01"]),
    ]
    if gaps and rng.random() < 0.4:
        cells[rng.integers(5)] = ""
    if gaps and rng.random() < 0.1:
        cells[4] = "undeclared"
    return ",".join(map(str, cells))


def worlds(relation, gaps, seed):
    rng = np.random.default_rng(seed)
    lines = [row(rng, gaps and rng.random() < 0.3) for _ in range(N)]
    place = int(rng.integers(N))
    other = list(lines)
    if relation == "replace_one":
        other[place] = row(rng, gaps)
    elif seed % 2:
        del other[place]
    else:
        other.insert(place, row(rng, gaps))
    return ["\n".join([HEAD, *rows]).encode() for rows in (lines, other)]


def made(raw, task, relation, how):
    features = FEATURES if task == "classification" else ("age",)
    given = SAID | {"task": task, "target": TASKS[task], "features": features, "empty_cells": how}
    return own_table(read_csv(raw), OwnChoices(**given, group="city"), neighbouring=relation)


def records(X, *rest):
    return [
        tuple(np.concatenate([np.ravel(part) for part in one]))
        for one in zip(X, *rest, strict=True)
    ]


def apart(first, second):
    a, b = Counter(first), Counter(second)
    return (a - b).total(), (b - a).total()


def are_neighbours(first, second, relation, same_size):
    gone, come = apart(first, second)
    if relation == "add_remove":
        return gone + come <= 1
    at_places = not same_size or (
        len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) <= 1
    )
    return gone <= 1 and come <= 1 and at_places


@pytest.mark.parametrize(("task", "relation", "how"), ALL)
def test_neighbouring_tables_have_neighbouring_parts(task, relation, how):
    moved = 0
    for seed in range(60):
        pair = [made(raw, task, relation, how) for raw in worlds(relation, how != "refuse", seed)]
        a, b = (one.data for one in pair)
        same_size = how != "leave_out"
        for part in ("", "_test"):
            found = [
                records(d.scaled(getattr(d, f"X{part}")), getattr(d, f"y{part}"))
                if task == "classification"
                else records(getattr(d, f"X{part}"), getattr(d, f"y{part}"))
                for d in (a, b)
            ]
            assert are_neighbours(*found, relation, same_size), seed
            moved += found[0] != found[1]
        groups = [Counter(one.groups.names[g] for g in one.groups.train.tolist()) for one in pair]
        assert (
            sum(map(abs, ((groups[0] - groups[1]).total(), (groups[1] - groups[0]).total()))) <= 2
        )
        assert a.n_declared == b.n_declared or how == "leave_out"
        assert pair[0].status == pair[1].status
        # What follows from the rows is public, or marked as read from them.
        assert ("n" in a.undeclared) == (relation == "replace_one" and how == "leave_out")
    assert moved > 20  # the neighbours are not all the same table


@pytest.mark.parametrize(("relation", "how"), list(itertools.product(RELATIONS, EMPTY)))
def test_what_a_page_trains_on_differs_in_one_record(relation, how):
    for seed in range(12):
        pair = [
            made(raw, "classification", relation, how).data
            for raw in worlds(relation, how != "refuse", seed)
        ]
        for ready in (
            lambda data: relevance.Problem(data, 1),
            lambda data: matrix.MatrixProblem(data, 1),
            choose.Problem,
        ):
            problems = [ready(data) for data in pair]
            found = [records(one.X, one.y) for one in problems]
            assert are_neighbours(*found, relation, how != "leave_out"), seed
        lots = [relevance.expected_lot(relevance.RelevanceParams(), one.n_declared) for one in pair]
        assert lots[0] == lots[1] or (relation == "replace_one" and how == "leave_out")


@pytest.mark.parametrize("how", EMPTY)
def test_the_first_records_of_a_regression_differ_in_one(how):
    params = regression.RegressionParams(dataset="own", n_features=1, n_samples=30)
    for seed in range(12):
        raws = worlds("replace_one", how != "refuse", seed)
        problems = [
            regression.Problem(made(raw, "regression", "replace_one", how).data) for raw in raws
        ]
        settings = [one.setting(params) for one in problems]
        found = [records(*one.scaled()) for one in settings]
        assert are_neighbours(*found, "replace_one", how != "leave_out"), seed


@pytest.mark.parametrize("how", ["refuse", "middle"])
def test_what_hulls_are_studied_on_differs_in_one_record(how):
    for seed in range(12):
        raws = worlds("replace_one", how != "refuse", seed)
        pair = [
            kahm.study_dataset(made(raw, "classification", "replace_one", how).data) for raw in raws
        ]
        assert are_neighbours(*(records(one.X, one.y) for one in pair), "replace_one", True)
        if (pair[0].y == pair[1].y).all():  # classes are public there
            for half in (0, 1):
                found = [records(one.X[one.halves(0)[half]]) for one in pair]
                assert are_neighbours(*found, "replace_one", True)


def test_a_row_has_one_code_however_the_other_rows_type_its_column():
    rows = ["3,1,a", "3.0,1,a", "03,1,a", "4,,a", ",2,"]
    plain = row_codes(read_csv(("a,b,c\n" + "\n".join(rows)).encode()).frame)
    typed = row_codes(read_csv(("a,b,c\n" + "\n".join([*rows, "x,1.5,7"])).encode()).frame)
    assert (plain == typed[:-1]).all()
    assert len(set(plain.tolist())) == len(rows)  # ranks tell three equal rows apart
    again = row_codes(read_csv(("a,b,c\n" + "\n".join(reversed(rows))).encode()).frame)
    assert set(again.tolist()) == set(plain.tolist())


def test_shares_are_as_declared():
    frame = read_csv(b"a,b\n" + b"".join(b"%d,1\n" % i for i in range(20_000))).frame
    train, test = sides(frame, 2 / 3, "add_remove")
    assert len(train) + len(test) == 20_000
    # A sum of 20,000 coins: five standard deviations are 333; more in one of three million keys.
    assert abs(len(train) - 20_000 * 2 / 3) < 333
    train, test = sides(frame, 2 / 3, "replace_one")
    assert (len(train), len(test)) == (13_333, 6_667)
    assert abs(np.mean(train[:2000] < 10_000) - 0.5) < 0.06  # the first are a random part
