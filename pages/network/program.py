import plotly.graph_objects as go

from dpcore.experiments import network

params = network.NetworkParams()
private, plain = network.run(params)  # two trainings, some seconds each
print(network.guarantee(params))

figure = go.Figure()
epochs = list(range(len(plain.accuracy)))
figure.add_scatter(x=epochs, y=private.accuracy, name=f"with privacy, ε = {params.epsilon:g}")
figure.add_scatter(x=epochs, y=plain.accuracy, name="without privacy", line_dash="dash")
figure.update_xaxes(title="epochs")
figure.update_yaxes(title="test accuracy", tickformat=".0%")
figure.show()
