import numpy as np
import plotly.graph_objects as go

from dpcore.experiments import kahm
from dpcore.kahm import fabricate

params = kahm.KahmParams()
X, y = kahm.picture_data(params.shape, params.n_records)
options = kahm.hull_options(params, params.n_components)
result = fabricate(  # noise on every value, then smoothing class by class
    X, y, epsilon=params.epsilon, delta=params.atom, rng=np.random.default_rng((params.seed,)),
    rounds=5, operator=params.operator, noise=params.noise, options=options,
)  # fmt: skip
shown = {"original": X, "noisy": result.stages[0], "published": result.stages[params.rounds]}

figure = go.Figure()
for symbol, (name, places) in enumerate(shown.items()):
    colours = [f"hsl({205 + 190 * k}, 80%, 40%)" for k in y.tolist()]  # one for each class
    marker = {"color": colours, "symbol": symbol}
    figure.add_scatter(x=places[:, 0], y=places[:, 1], mode="markers", name=name, marker=marker)
figure.update_yaxes(scaleanchor="x")
figure.show()
print(result.guarantee)  # of a whole record, not of one value
