import plotly.graph_objects as go

from dpcore.experiments import queries
from dpcore.experiments.grids import EPSILON_GRID

params = queries.QueriesParams(topic="processing")
result = queries.processing(params)

figure = go.Figure()
figure.add_scatter(x=EPSILON_GRID, y=result.hits_raw, name="before")
figure.add_scatter(x=EPSILON_GRID, y=result.hits, name="after")
figure.update_xaxes(title="ε", type="log")
figure.update_yaxes(title="right guesses")
figure.show()
print(queries.guarantee(params))
