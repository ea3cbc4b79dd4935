"""Runner of the pages' computations.

It decides which stages (computations of one result each) to run, in which order, and which results to reuse.

A page declares its computations once, in ``pages/<topic>/pipeline.py``::

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

``PageSpec(pipeline=PIPELINE, figure=figure, words=words)`` completes the page: ``figure(state)`` draws the best
available results (`PageState`), and ``words(state)`` the text below it. ``PIPELINE.state(params, dragging=...)``
returns these results at once and starts jobs for better ones; the page polls again while ``state.busy``. The runner
takes care of everything else:

- *Keys.* The key of a cached result contains the parameters except those that its stage ignores and, for a user's
  own data, a token of the upload. A stage receives the ignored parameters at their defaults, so that its result
  cannot depend on them.
- *Sharing.* Jobs for public data are shared by all sessions, those for a user's own data belong to the user's
  session. Both caches are bounded in bytes.
- *What is visible.* A stage that names ``tabs`` runs while one of them is open. Previews run when their slider is
  near the pointer or, if the browser does not report that, one by one after everything else. The intervals between
  updates with partial results grow.
- *Moving sliders.* No job is started; available results are shown, or else the stage's ``draft``.
- *Earlier results* (``Stage(stays=...)``) may remain on the screen, marked as such, until they can be replaced.
- *Progress and partial results.* ``context.progress(part, text)`` reports progress; ``context.check()`` raises
  `Cancelled` when the job is to stop, and the result of a stopped job is never final. A stage that is a generator
  yields ever better results.
- *Cancelling.* ``PIPELINE.cancel`` stops all jobs that this session has started, including previews. A stage restarts
  when the user returns to its parameters from others, or when another session requests it.
- *Errors.* The message of a ValueError is shown to the user; of any other exception only the class is shown.
- *Texts.* ``PIPELINE.words_version(params)`` changes when the text below the figure (``words``) is outdated.
- *Exports.* ``state.now(name)`` is the final result of a stage, computed if necessary; ``state.newest(name)`` is the
  latest one available. Exports run in threads without a session: do not read ``st.session_state`` there.
- *Other states.* ``PIPELINE.known(params)`` has the results available so far, for texts; ``still`` is a state without
  background jobs, for cards on Home; ``ask`` starts a stage with ``on_demand``.
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
