"""What a program of own data says: the answers, and that its ε is nominal where facts were read."""

import pytest

from dpcore.datasets import OwnChoices, own_table, read_csv
from dpcore.experiments import kahm, matrix, own_code, regression, relevance

RAW = b"a,b,y,kind\n" + b"".join(
    f"{i},{'' if i == 3 else i % 7},{i % 11},{'xy'[i % 2]}\n".encode() for i in range(60)
)
PAIRS = {"a": (0.0, 60.0), "b": (0.0, 7.0), "y": (0.0, 11.0)}
CLASSES = {"task": "classification", "target": "kind", "features": ("a", "b")}
NUMBERS = {"task": "regression", "target": "y", "features": ("a", "b")}
SAID = [
    ({}, ("n", "classes"), ""),
    ({}, ("classes",), "# ε is nominal: the number of rows was estimated"),
    ({"bounds": None}, (), "# ε is nominal: the bounds"),
    ({"empty_cells": "middle"}, ("n", "classes"), ""),
]


def made(task, changes, public):
    said = {"bounds": PAIRS, "public": public} | task | changes
    return own_table(read_csv(RAW), OwnChoices(**said)).data


@pytest.mark.parametrize(("changes", "public", "remark"), SAID)
def test_the_arguments_make_the_same_data_again(changes, public, remark):
    data = made(CLASSES, changes, public)
    options = eval(f"dict({own_code.options(data)})")
    again = read_csv(RAW).to_dataset("kind", ("a", "b"), **options)
    assert (again.X == data.X).all()
    assert again.estimated == data.estimated
    assert own_code.remark(data).startswith(remark)
    assert bool(own_code.remark(data)) == bool(data.estimated)


@pytest.mark.parametrize(("changes", "public", "remark"), SAID)
def test_every_guarantee_is_nominal_where_a_fact_was_read(changes, public, remark):
    classes, numbers = made(CLASSES, changes, public), made(NUMBERS, changes, public)
    study = kahm.study_dataset(classes)
    lots = [relevance.RelevanceParams(dataset="own", lots=how) for how in ("poisson", "fixed")]
    line = regression.RegressionParams(dataset="own", n_features=20)
    found = [
        *(relevance.guarantee(params, relevance.Problem(classes, 1)) for params in lots),
        regression.guarantee(line, regression.Problem(numbers)),
        kahm.guarantee(kahm.KahmParams(), 2, estimated=study.estimated),
    ]
    estimated = [classes.estimated, classes.estimated, numbers.estimated, classes.estimated]
    assert [one.status == "nominal" for one in found] == [bool(facts) for facts in estimated]


def test_programs_say_that_their_epsilon_is_nominal():
    classes, numbers = made(CLASSES, {"bounds": None}, ()), made(NUMBERS, {"bounds": None}, ())
    shown = [
        relevance.code(
            relevance.RelevanceParams(dataset="own"), relevance.Problem(classes, 1), "kind"
        ),
        matrix.code(
            matrix.MatrixParams(dataset="own"), matrix.MatrixProblem(classes, 1, "full"), "kind"
        ),
        regression.code(regression.RegressionParams(dataset="own"), regression.Problem(numbers)),
    ]
    for code in shown:
        assert "# ε is nominal: the bounds" in code
        assert "estimate_bounds=True" in code
        assert "low=[" not in code
