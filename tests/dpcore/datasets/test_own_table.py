"""What a person says of their table: all of it is used, and what they did not say is marked."""

import numpy as np
import pytest

from dpcore.datasets import DataError, OwnChoices, own_table, read_csv

N = 60
HEAD = "age,income,name,note,city,kind\n"


def rows(**cells):
    """Rows of a table; ``cells`` replace those of a column, by row."""
    lines = []
    for i in range(N):
        row = {"age": 20 + i, "income": i % 7, "name": f"n{i}", "note": "",
               "city": "uvw"[i % 3], "kind": "ab"[i % 2]}  # fmt: skip
        row |= {name: changes[i] for name, changes in cells.items() if i in changes}
        lines.append(",".join(map(str, row.values())))
    return (HEAD + "\n".join(lines) + "\n").encode()


def said(**changes):
    given = {
        "task": "classification",
        "target": "kind",
        "features": ("age", "income"),
        "bounds": {"age": (0.0, 120.0), "income": (0.0, 10.0)},
        "public": ("n", "classes"),
    }
    return OwnChoices(**given | changes)


def test_all_that_is_declared_leaves_nothing_nominal():
    made = own_table(read_csv(rows()), said())
    assert (made.status, made.estimated, made.data.bounds_status) == ("", (), "declared")
    assert made.dropped == (("name", "text"), ("note", "empty"), ("city", "text"))
    assert made.gaps == "There was no empty cell."


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bounds": None}, "the bounds were estimated"),
        ({"public": ("n",)}, "the classes were estimated"),
        ({"public": ("classes",)}, "the number of rows was estimated"),
        ({"bounds": None, "public": ()}, "the bounds, the number of rows and the classes were"),
    ],
)
def test_what_is_not_declared_makes_the_epsilon_nominal(changes, words):
    made = own_table(read_csv(rows()), said(**changes))
    assert made.status.startswith(f"nominal: {words}")


def test_rows_with_an_empty_cell_are_left_out_together_with_their_class_and_group():
    raw = rows(age={3: ""}, income={3: "", 10: ""}, kind={20: ""})
    made = own_table(read_csv(raw), said(group="city", empty_cells="leave_out"))
    assert made.status.startswith("nominal: the number of rows was")
    assert made.under("add_remove").status == ""
    assert (made.n_rows, made.n_used, made.n_filled) == (N, N - 3, 0)
    assert made.gaps == "3 of 60 rows with an empty cell were left out."
    ages = np.concatenate([made.data.X, made.data.X_test])[:, 0]
    groups = np.concatenate([made.groups.train, made.groups.test])
    assert set(ages) == {20.0 + i for i in range(N) if i not in (3, 10, 20)}
    assert [made.groups.names[g] for g in groups] == ["uvw"[int(age - 20) % 3] for age in ages]


def test_the_middle_of_the_declared_bounds_fills_a_cell_whatever_others_hold():
    found = []
    for other in (5, 6):
        raw = rows(income={10: "", 11: other})
        made = own_table(read_csv(raw), said(empty_cells="middle"))
        assert (made.n_used, made.n_filled) == (N, 1)
        X = np.concatenate([made.data.X, made.data.X_test])
        found.append(X[X[:, 0] == 30, 1].item())
    assert found == [5.0, 5.0]


def test_regression_needs_the_bounds_of_what_it_predicts():
    choices = said(task="regression", target="income", features=("age",), public=("n",))
    made = own_table(read_csv(rows(income={4: ""})), choices)
    assert (made.data.target_low, made.data.target_high, made.n_used) == (0.0, 10.0, N)
    X, y = (np.concatenate(part) for part in zip(
        (made.data.X, made.data.y), (made.data.X_test, made.data.y_test), strict=True
    ))  # fmt: skip
    assert y[X[:, 0] == 24] == 5.0
    assert made.status == ""
    with pytest.raises(DataError, match="The bounds of “income” are not given"):
        own_table(read_csv(rows()), said(**vars(choices) | {"bounds": {"age": (0.0, 120.0)}}))


def test_groups_of_regression_stand_by_their_records():
    choices = said(task="regression", target="income", features=("age",), group="city")
    made = own_table(read_csv(rows()), choices)
    for X, groups in ((made.data.X, made.groups.train), (made.data.X_test, made.groups.test)):
        assert ["uvw"[int(age - 20) % 3] for age in X[:, 0]] == [
            made.groups.names[g] for g in groups
        ]


def test_an_empty_cell_of_the_group_is_a_group():
    made = own_table(read_csv(rows(city={5: ""})), said(group="city"))
    assert made.groups.names == ("(empty)", "u", "v", "w")
    assert made.n_used == N


def test_classes_of_whole_numbers_keep_their_names_beside_an_empty_cell():
    raw = rows(kind={i: i % 2 for i in range(N)} | {7: ""})
    assert own_table(read_csv(raw), said()).data.classes == ("0", "1")


@pytest.mark.parametrize(
    ("cells", "changes", "words"),
    [
        ({}, {"features": ()}, "No column to learn from is chosen"),
        ({}, {"features": ("note",), "bounds": None}, "All 60 cells of column “note” are empty"),
        ({"age": {4: "k. A.", 7: "-"}, "income": {2: "k. A."}}, {},
         "Column “age” holds “k. A.” in row 6, which is not a number .2 such cells.; column “income” holds "
         "“k. A.” in row 4.*leave the columns out"),
        ({}, {"features": ("name",), "bounds": None}, "“name” holds “n0” in row 2, which is not a number"),
        ({"age": {2: "9" * 400}}, {}, "“age” holds “9+…” in row 4, which is not a number"),
        ({"age": {2: "inf"}}, {}, "1 infinite cell .the first in row 4"),
        ({"age": dict.fromkeys(range(N), 5)}, {"bounds": None}, "“age” holds 5 in every row"),
        ({"age": dict.fromkeys(range(0, N, 2), ""), "income": dict.fromkeys(range(1, N, 2), "")},
         {"empty_cells": "leave_out"}, "Each of the 60 rows has an empty cell"),
        ({"kind": dict.fromkeys(range(N), "a")}, {}, "holds one class"),
        ({}, {"group": "name"}, "“name” has 60 different groups: choose one with 2 to 12"),
        ({}, {"group": "<b>"}, "There is no column “<b>”"),
        ({}, {"target": "elsewhere"}, "There is no column “elsewhere”"),
        ({}, {"bounds": {"age": (5.0, 5.0), "income": (0.0, 1.0)}}, "The bounds of “age” are 5 and 5"),
        ({}, {"task": "ranking"}, "task='ranking'"),
    ],
)  # fmt: skip
def test_every_mistake_gets_a_sentence(cells, changes, words):
    with pytest.raises(ValueError, match=words) as caught:
        own_table(read_csv(rows(**cells)), said(**changes))
    assert 20 < len(str(caught.value)) < 600
