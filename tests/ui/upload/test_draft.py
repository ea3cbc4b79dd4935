"""Answers about an own table: two numbers in words, what is missing, what a table looks like."""

import numpy as np
import pytest

from dpcore.datasets import DataError, read_csv
from tests.ui.upload.own_tables import table_of
from ui.upload.draft import Draft, bounds, numbered, pair
from ui.upload.preview import preview


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0, 120", (0, 120)),
        (" -5;5 ", (-5, 5)),
        ("−5 to 5", (-5, 5)),
        ("1e3 2e3", (1000, 2000)),
        ("0.5,1.5", (0.5, 1.5)),
    ],
)
def test_two_numbers_are_read_as_people_write_them(text, found):
    assert pair("age", text) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "are not given yet"),
        ("  ", "are not given yet"),
        ("5", "write two numbers"),
        ("0,5, 10", "write two numbers"),
        ("a, b", "write two numbers"),
        ("nan, 1", "write two numbers"),
        ("5, 5", "give the lower number first"),
        ("10, 1", "give the lower number first"),
        ("0, 1e999", "give the lower number first"),
        ("9" * 400 + ", 1", "write two numbers"),
        ("1" * 40 + "," * 39, "write two numbers"),
    ],
)
def test_what_is_no_pair_gets_a_sentence(text, words):
    with pytest.raises(DataError, match=words) as caught:
        pair("age", text)
    assert len(str(caught.value)) < 300


def draft(**answers):
    return Draft(token="t", target="y", features=("a", "b"), **answers)


def test_a_column_that_numbers_the_people_is_named():
    columns = {"id": range(100, 130), "age": [k // 2 for k in range(30)], "kind": ["a", "b"] * 15}
    table = read_csv(table_of(columns))
    assert numbered(table, table.numeric) == ["id"]
    few = read_csv(table_of({name: list(values)[:10] for name, values in columns.items()}))
    assert numbered(few, few.numeric) == []


def test_bounds_are_asked_for_each_column_that_needs_them():
    assert bounds(draft(how="estimate")) is None
    assert bounds(draft(how="same", pairs={"": "0, 1"})) == {"a": (0, 1), "b": (0, 1)}
    each = draft(how="each", pairs={"a": "0, 1", "b": "2, 3", "y": "4, 5"})
    assert bounds(each) == {"a": (0, 1), "b": (2, 3)}
    number = Draft(**vars(each) | {"task": "regression"})
    assert bounds(number) == {"a": (0, 1), "b": (2, 3), "y": (4, 5)}
    with pytest.raises(DataError, match="Say where"):
        bounds(draft())
    with pytest.raises(DataError, match="“b” are not given"):
        bounds(draft(how="each", pairs={"a": "0, 1"}))


def test_what_is_declared_is_written_down_with_its_value():
    columns = {"a": range(40), "b": [1] * 40, "y": ["u", "v"] * 20}
    table = read_csv(table_of(columns))
    said = draft(how="same", pairs={"": "0, 50"}, public=("n", "classes"), rows_per_person=2)
    found = said.choices(table)
    assert (found.classes, found.n_rows, found.rows_per_person) == (("u", "v"), 40, 2)
    assert found.empty_cells == "middle"  # no cell is empty, and an empty one would be filled
    silent = draft(how="same", pairs={"": "0, 50"}).choices(table)
    assert (silent.classes, silent.n_rows) == ((), None)


def test_nothing_said_makes_every_fact_estimated():
    assert "the number of rows and the classes" in draft(how="each").status
    assert draft(how="each", public=("n", "classes")).status == ""
    gone = {"how": "each", "public": ("n", "classes"), "empty_cells": "leave_out"}
    assert draft(**gone).status.startswith("nominal: the number of rows")
    assert draft(**gone, neighbouring="add_remove").status == ""
    with pytest.raises(DataError, match="No column to predict"):
        Draft(token="t", features=("a",)).choices(None)


def test_the_table_is_shown_inert_and_only_in_part():
    name = "<img src=x onerror=alert(1)>"
    columns = {f"c{k}": np.arange(9) for k in range(40)} | {"x": ["", *range(8)]}
    frame = read_csv(table_of({name: ["<b>"] * 9} | columns)).frame
    shown = preview(frame, {name: "predicted"})
    assert "<img" not in shown
    assert "<b>" not in shown
    assert "&lt;img" in shown
    assert "The first 4 of 9 rows, the first 30 of 42 columns" in shown
    assert shown.count("<tr>") == 5
