import plotly.graph_objects as go

from dpcore.experiments import queries
from dpcore.experiments.grids import EPSILON_GRID

params = queries.QueriesParams(topic="choosing")
result = queries.choosing(params)

figure = go.Figure()
for k, name in enumerate(result.options.names):
    figure.add_scatter(x=EPSILON_GRID, y=result.chosen[:, k], name=name)
figure.update_xaxes(title="ε", type="log")
figure.update_yaxes(title="probability of being chosen")
figure.show()
print(queries.guarantee(params))
