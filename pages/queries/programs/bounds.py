import plotly.graph_objects as go

from dpcore.experiments import queries
from dpcore.experiments.grids import EPSILON_GRID

params = queries.QueriesParams(topic="bounds")
result = queries.bounds(params)

figure = go.Figure()
figure.add_scatter(x=EPSILON_GRID, y=result.shown, name="shown by an attack")
figure.add_scatter(x=EPSILON_GRID, y=EPSILON_GRID, name="claimed")
figure.update_xaxes(title="ε", type="log")
figure.update_yaxes(title="ε")
figure.show()
print(queries.guarantee(params))
