import numpy as np
import plotly.graph_objects as go

from dpcore.experiments import descent

params = descent.DescentParams()
sweep = descent.run(params)  # one training at every noise level at once
sigma = descent.sigma(params)  # as it was set, or what the ε that was asked for needs
there = np.interp(np.log(sigma), np.log(sweep.noise), sweep.accuracy[:, -1])
plain = sweep.plain_accuracy[-1]  # the same steps, neither clipped nor noised
here = f"σ = {sigma:.3g}, ε = {descent.real_epsilon(params):.3g}"

figure = go.Figure()
figure.add_scatter(x=sweep.noise, y=sweep.accuracy[:, -1], name="with privacy")
figure.add_scatter(x=sweep.noise, y=[plain] * len(sweep.noise), name="plain", line_dash="dash")
figure.add_scatter(x=[sigma], y=[there], mode="markers", marker_size=12, name=here)
figure.update_xaxes(type="log", title="noise multiplier σ")
figure.update_yaxes(title="test accuracy", tickformat=".0%")
figure.show()
