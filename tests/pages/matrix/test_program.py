"""The program of Relevance matrix draws the page's profile, of own data too."""

import numpy as np
import pytest

from dpcore.datasets import read_csv
from dpcore.experiments import matrix
from dpcore.experiments.matrix import MatrixParams
from pages.matrix.pipeline import PIPELINE
from pages.matrix.words import profile_table, program
from tests.own_data import estimated_classes
from tests.programs import drawn, program_figure


def test_the_program_draws_the_profile():
    shown = program_figure("matrix")
    table = profile_table(PIPELINE.still(MatrixParams(), "study"))
    assert list(shown.data[0].x) == list(table.feature)
    assert shown.data[0].y == pytest.approx(table.private, rel=1e-5)
    assert shown.data[1].y == pytest.approx(table.without_privacy, rel=1e-4)


@pytest.mark.parametrize("changes", [{}, {"rank": "3", "epsilon": 8.0, "recipe": "paper"}])
def test_the_program_draws_the_model_at_the_chosen_epsilon(changes):
    params = MatrixParams(dataset="iris", epochs=10, **changes)
    shown = drawn(program(params, matrix.problem_of(params), ""))
    model = matrix.run(params).at(params.epsilon)
    assert f"accuracy {model.accuracy:.1%}" in shown.layout.title.text
    assert shown.data[0].y == pytest.approx(model.relevances)


def test_the_program_of_own_data_draws_its_profile(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{'ab'[int(a > 0.5)]}" for a, b in rng.random((80, 2))]
    text = "x,y,kind\n" + "\n".join(rows)
    (tmp_path / "your.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    data = read_csv(text.encode()).to_dataset("kind", ("x", "y"), low=[0, 0], high=[1, 1])
    params = MatrixParams(dataset="own", epochs=5, rank="2")
    problem = matrix.MatrixProblem(data, 1, "2")
    shown = drawn(program(params, problem, "kind"))
    model = matrix.run_sweep(problem, params).at(params.epsilon)
    assert shown.data[0].y == pytest.approx(model.relevances)


def test_the_program_of_an_uploaded_table_says_that_its_epsilon_is_nominal():
    data = estimated_classes()
    code = program(
        matrix.MatrixParams(dataset="own"), matrix.MatrixProblem(data, 1, "full"), "kind"
    )
    assert "# ε is nominal: the bounds" in code
    assert "estimate_bounds=True" in code
    assert "low=[" not in code
