import numpy as np
import plotly.graph_objects as go

from dpcore.experiments import queries

params = queries.QueriesParams(topic="group")
size, privacy = params.group, (params.noise, params.epsilon, params.delta)
one, many = queries.for_one(*privacy), queries.for_group(*privacy, size)
x = np.linspace(100 - 15 * many.scale, 100 + 10 * many.scale, 800)

figure = go.Figure()
for name, noise in (("noise for one", one), ("noise for the group", many)):
    figure.add_scatter(x=x, y=noise.density(x, 100.0), name=name + ": with them")
    figure.add_scatter(x=x, y=noise.density(x, 100.0 - size), name=name + ": without")
figure.update_xaxes(title="published count")
figure.update_yaxes(title="density")
figure.show()
print([(1 + noise.delta_at(0.0, size)) / 2 for noise in (one, many)])
