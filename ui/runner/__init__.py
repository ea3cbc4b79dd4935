"""Runner for every page's work: which stages are computed, in which order, and which a slider leaves unchanged.

A page declares its work once, in ``pages/<topic>/pipeline.py``::

    PIPELINE = Pipeline(
        name="relevance",
        data=Data("data", load, uses=("dataset", "prototypes_per_class"), own="own_data",
                  instead={"dataset": "moons"}),
        stages=[
            Stage("sweep", run_sweep, ignores=("epsilon", "person"), draft=one_epsilon, wait=0.3,
                  doing="Training at every noise level"),
            Stage("outcomes", run_outcomes, ignores=("epsilon",), after="sweep",
                  doing="Drawing other outcomes"),
            *previews(run_preview, "clip_norm", "learning_rate", after="sweep"),
        ],
    )

``PageSpec(pipeline=PIPELINE, figure=figure, words=words)`` is the rest: ``figure(state)`` draws the best there is
(`PageState`), ``words(state)`` what stands under it. ``PIPELINE.state(params, dragging=...)`` answers and sees to it
that better is on its way; the page asks again while ``state.busy``. Everything else the runner does by itself:

- *Keys.* A result is kept by the parameters less those that its stage ignores; own data by a token of
  their upload. A stage is handed the ignored parameters at their defaults, so that it cannot cheat.
- *Where.* Public data in jobs that all sessions share, own data in the session's. Both are bounded in bytes.
- *What is looked at*: a stage that names ``tabs`` runs while one of them is open; previews run when their handle is
  near, or, where the browser does not tell, one by one after everything else. Of many better results each is
  told later than the one before.
- *While a handle moves* nothing is started: what is known is shown, else the stage's ``draft``.
- *What was there before* (``Stage(stays=...)``) may stay on the screen, marked, until there is something new.
- *Progress*: ``context.progress(part, text)``. *Stop*: ``context.check()`` raises `Cancelled`, and nothing that
  was cut short counts as whole. *Better and better*: a stage that is a generator.
- *Cancel* (``PIPELINE.cancel``) stops everything this session has started, previews too. A stage starts again when
  the person asks for other parameters and comes back, or when another session asks for it.
- *Errors*: a ValueError is a sentence for the person; of anything else only the class is named.
- *Words*: ``PIPELINE.words_version(params)`` changes when what is told under the figure (``words``) is out of date.
- *Exports*: ``state.now(name)`` is the whole result, computed now if need be; ``state.newest(name)`` what there is
  by now. They are made in threads that know of no session: read nothing of ``st.session_state`` there.
- ``PIPELINE.known(params)`` is a state of what there is, for words; ``still`` one with nothing in the background,
  for miniatures; ``ask`` starts a stage ``on_demand``.
"""

from ui.jobs.reports import Cancelled
from ui.runner.pipeline import PageState, Pipeline
from ui.runner.preparation import View
from ui.runner.session import Before
from ui.runner.stages import Context, Data, Stage, previews

__all__ = [
    "Before",
    "Cancelled",
    "Context",
    "Data",
    "PageState",
    "Pipeline",
    "Stage",
    "View",
    "previews",
]
