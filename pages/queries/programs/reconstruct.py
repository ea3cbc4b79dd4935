import plotly.graph_objects as go

from dpcore.experiments import queries
from dpcore.experiments.grids import EPSILON_GRID

params = queries.QueriesParams(topic="reconstruct")
tables = queries.tables(params)  # the published counts are counts + scale * noise
solved = queries.reconstructed(params)
k = EPSILON_GRID.index(params.epsilon)

figure = go.Figure()
figure.add_scatter(x=EPSILON_GRID, y=solved.recovered, name="people found, of 12", mode="lines")
figure.add_scatter(x=[params.epsilon], y=[solved.recovered[k]], name="at this ε", mode="markers")
figure.update_xaxes(title="ε", type="log")
figure.update_yaxes(title="people")
figure.show()
print(f"{tables.n_consistent} block(s) of twelve people have the exact counts")
print("the block:", tables.block.tolist())
print("the likeliest block:", solved.people[k].tolist())
