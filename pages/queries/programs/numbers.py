import plotly.graph_objects as go

from dpcore.experiments import queries
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.queries.params import NUMBERS

params = queries.QueriesParams(topic="numbers")
result = queries.numbers(params)
k = NUMBERS.index(params.n_numbers)
column = DELTA_GRID.index(params.delta)

figure = go.Figure()
figure.add_scatter(x=EPSILON_GRID, y=result.laplace[:, k], name="Laplace")
figure.add_scatter(
    x=EPSILON_GRID, y=result.gaussian[:, column, k], name=f"Gaussian, δ = {params.delta!r}"
)
figure.update_xaxes(title="ε", type="log")
figure.update_yaxes(title="standard deviation of each number")
figure.show()
print(queries.guarantee(params))
