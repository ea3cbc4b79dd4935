import numpy as np
import plotly.graph_objects as go

from dpcore import mechanisms

noise = mechanisms.Laplace(epsilon=1.0, sensitivity=1.0)
answer = 100.0  # the true answer of the data set D
moved = 1.0  # by so much the answer of D′ is smaller
other = "without"
seed = 0

x = np.linspace(answer - 14 * noise.sensitivity, answer + 8 * noise.sensitivity, 1200)
draws = noise.sample(np.full(80, answer), np.random.default_rng(seed))
figure = go.Figure()
figure.add_scatter(x=x, y=noise.density(x, answer), name="D: with")
figure.add_scatter(x=x, y=noise.density(x, answer - moved), name=f"D′: {other}")
figure.add_scatter(x=draws, y=np.zeros(80), mode="markers", name="80 answers from D")
figure.update_xaxes(title="published answer", range=[x[0], x[-1]])
figure.update_yaxes(title="density")
figure.show()
print(noise.privacy)
