import numpy as np
import plotly.graph_objects as go

from dpcore.experiments import autoencoder

params = autoencoder.AutoencoderParams()
problem = autoencoder.named_problem(params.dataset, params.trained_on)
if params.real:  # a generator with a proof
    made = autoencoder.fitted(problem, params.delta, params.seed).at(params.epsilon)
    rows = made.sample(3, np.random.default_rng((params.seed, 4))).swapaxes(0, 1)
else:  # every noise level at once
    sweep = autoencoder.run_sweep(problem, params)
    k = round(float(autoencoder.place_of(params.epsilon, params.delta, sweep.nodes)))
    rows = np.concatenate([sweep.originals[None], sweep.released[k]])
shown = "invented digits" if params.real else "originals; then noise on hidden, output, both"
high, wide = problem.shape
tiles = rows.reshape(*rows.shape[:2], high, wide).swapaxes(1, 2)
mosaic = tiles.reshape(len(rows) * high, -1)[::-1]  # Plotly counts rows from the bottom
figure = go.Figure(go.Heatmap(z=mosaic, colorscale="gray_r", showscale=False, name="pictures"))
figure.update_xaxes(visible=False)
figure.update_yaxes(visible=False, scaleanchor="x")
figure.update_layout(title=f"ε = {params.epsilon:g}: {shown}")
figure.show()
print(autoencoder.guarantee(params, problem))
