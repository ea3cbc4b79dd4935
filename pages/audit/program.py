import plotly.graph_objects as go

from dpcore.experiments import audit

params = audit.AuditParams()
*_, found = audit.attack(params)  # the last of ever better results
worlds = audit.worlds_of(params.target, params.built)
shown = audit.bounds(found.target.counts, params.delta, gaussian=worlds.gaussian)

figure = go.Figure()
figure.add_scatter(x=found.target.counts.n, y=shown.bound, name="proved by the attack")
figure.add_scatter(x=found.target.counts.n, y=shown.ceiling, name="most that so many can prove")
figure.add_hline(y=params.epsilon, annotation_text="claim")
figure.update_xaxes(type="log", title="trainings with, and without")
figure.update_yaxes(title="ε")
figure.show()
print(worlds.neighbours, worlds.canary, worlds.score, sep="\n")
