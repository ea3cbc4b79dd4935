import numpy as np
import plotly.graph_objects as go

from dpcore.audit import group_sizes
from dpcore.experiments import queries
from dpcore.mechanisms import Laplace

params = queries.QueriesParams(topic="linkage")
town, n = queries.town(), queries.N_PATIENTS
columns = [k for k, there in enumerate((params.by_sex, params.by_year, params.by_place)) if there]
values = town.residents // [1, 10, 3] if params.coarse else town.residents
candidates = group_sizes(values[:n, columns], values[:, columns])
for row in np.flatnonzero(candidates == 1):
    print(town.names[row], "has the diagnosis", town.diagnoses[row])

counts = np.bincount(town.diagnoses)
noisy = Laplace(epsilon=params.epsilon).sample(counts, np.random.default_rng(params.seed))
figure = go.Figure()
figure.add_histogram(x=candidates, y=np.ones(n), histfunc="sum", name="residents who fit a row")
figure.add_bar(x=-np.arange(1, 6), y=noisy, name="noisy counts by diagnosis, published instead")
figure.show()
