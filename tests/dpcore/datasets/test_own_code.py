"""What a program of own data says: the answers, and that its ε is nominal where facts were read."""

import pytest

from dpcore.datasets import OwnChoices, own_code, own_table, read_csv
from dpcore.experiments import kahm, regression, relevance

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
    ({"empty_cells": "leave_out"}, ("n", "classes"), "# ε is nominal: the number of rows was"),
]


def made(task, changes, public, neighbouring="replace_one"):
    said = {"bounds": PAIRS, "public": public} | task | changes
    return own_table(read_csv(RAW), OwnChoices(**said), neighbouring=neighbouring).data


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
    coins = made(CLASSES, changes, public, "add_remove")
    lots = {"poisson": coins, "fixed": classes}
    line = regression.RegressionParams(dataset="own", n_features=20)
    found = [
        *(
            relevance.guarantee(
                relevance.RelevanceParams(dataset="own", lots=how), relevance.Problem(data, 1)
            )
            for how, data in lots.items()
        ),
        regression.guarantee(line, regression.Problem(numbers)),
        kahm.guarantee(kahm.KahmParams(), 2, estimated=study.estimated),
    ]
    estimated = [coins.estimated, classes.estimated, numbers.estimated, classes.estimated]
    assert [one.status == "nominal" for one in found] == [bool(facts) for facts in estimated]


@pytest.mark.parametrize("how", ["poisson", "fixed"])
def test_a_table_divided_for_other_neighbours_leaves_nothing_proved(how):
    made_for = {"poisson": "replace_one", "fixed": "add_remove"}[how]
    problem = relevance.Problem(made(CLASSES, {}, ("n", "classes"), made_for), 1)
    found = relevance.guarantee(relevance.RelevanceParams(dataset="own", lots=how), problem)
    assert found.status == "nominal"
    assert "the rows for training were read from the data" in found.argument


@pytest.mark.parametrize("neighbouring", ["add_remove", "replace_one"])
def test_what_is_public_about_the_division_is_said(neighbouring):
    said = {"bounds": PAIRS, "public": ("n", "classes"), "rows_per_person": 3} | CLASSES
    data = own_table(read_csv(RAW), OwnChoices(**said), neighbouring=neighbouring).data
    how = {"add_remove": "poisson", "replace_one": "fixed"}[neighbouring]
    found = relevance.guarantee(
        relevance.RelevanceParams(dataset="own", lots=how), relevance.Problem(data, 1)
    )
    assert found.unit.records_per_person == 3
    assert any("places in the table" in fact for fact in found.public) == (how == "fixed")
    assert "rows_per_person=3" in own_code.options(data)
    iris = relevance.guarantee(relevance.RelevanceParams(), relevance.named_problem("iris", 1))
    assert "which records of the data set are for training, and which for testing" in iris.public
    assert iris.unit.plural == "flowers"
