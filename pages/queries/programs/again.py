import numpy as np
import plotly.graph_objects as go

from dpcore.experiments import queries
from dpcore.mechanisms import Laplace

params = queries.QueriesParams()
count = Laplace(epsilon=params.epsilon)
answers = count.sample(np.full(1000, 100.0), np.random.default_rng(params.seed))
mean = np.cumsum(answers) / np.arange(1, 1001)
places = queries.PLACES  # which of the answers are drawn

figure = go.Figure()
figure.add_scatter(x=places, y=answers[places - 1], name="single answers", mode="markers")
figure.add_scatter(x=places, y=mean[places - 1], name="average of all answers so far")
figure.add_scatter(x=[1, 1000], y=[answers[0]] * 2, name="the same answer every time")
figure.update_xaxes(title="answers", type="log")
figure.update_yaxes(title="people")
figure.show()
print("an attacker guesses right:", queries.hit_rate(params.epsilon, params.n_answers))
