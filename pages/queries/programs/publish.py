import numpy as np
import plotly.graph_objects as go

from dpcore.experiments import queries

params = queries.QueriesParams(topic="publish")
n, one = list(range(1, 1001)), params.how == "one"
chance = [queries.somebody(params.chance, k, one=one) for k in n]

figure = go.Figure()
figure.add_scatter(x=n, y=chance, name="somebody is published")
figure.update_xaxes(title="people", type="log")
figure.update_yaxes(title="probability")
figure.show()
mechanism = queries.Publishing(n_people=params.n_people, chance=None if one else params.chance)
print(mechanism.sample(np.random.default_rng(params.seed)), mechanism.privacy)
