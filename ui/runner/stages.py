"""Declarations of a page's computations: stages, previews, and the data that they use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from typing import Any

from ui.jobs.reports import Cancelled, Report
from ui.live.depth import Depth

__all__ = [
    "Context",
    "Data",
    "Plan",
    "Run",
    "Stage",
    "ignore_report",
    "never_cancelled",
    "previews",
]


def ignore_report(report: Report) -> None:
    """Ignore a progress report.

    Nobody sees the progress of a computation outside a background job.
    """


def never_cancelled() -> bool:
    """Return False, since a computation outside a background job cannot be cancelled."""
    return False


class Context:
    """Access of a running stage to progress reports, cancellation and further inputs.

    - ``control``: for a preview, the name of the control whose values are computed.
    - ``source``: the result of the stage named by ``Stage.of``.
    - ``shown_params``: the displayed parameters, including those that the stage ignores. They may
      change the order of the computation, but not its result.
    """

    def __init__(
        self,
        report: Callable[[Report], None] = ignore_report,
        cancelled: Callable[[], bool] = never_cancelled,
        *,
        control: str = "",
        source: Any = None,
        shown_params: Any = None,
    ) -> None:
        self._report, self._cancelled = report, cancelled
        self._part, self._text = 0.0, ""
        self.cut = False
        self.control, self.source, self.shown_params = control, source, shown_params

    def progress(self, part: float, text: str = "") -> None:
        """Report the fraction done, from 0 to 1, and a few words on the progress."""
        self._part, self._text = min(part, 0.99), text  # whole only when the stage has returned
        self._report(Report(None, self._part, text))

    def check(self) -> None:
        """Raise `Cancelled` if the result is no longer needed.

        This is the only way to stop a computation early.
        """
        if self.cut or self._cancelled():
            self.cut = True
            raise Cancelled

    def along(self, params: Any) -> Iterator[Any]:
        """Yield ``params`` with each value of the preview's control.

        Report progress and check for cancellation after each value.
        """
        grid = params.controls()[self.control].grid or ()
        for k, value in enumerate(grid):
            self.check()
            yield params.but(**{self.control: value})
            self.progress((k + 1) / len(grid), f"{k + 1} of {len(grid)}")

    def better(self, value: Any) -> None:
        """Report a partial result, which replaces earlier ones."""
        self._report(Report(value, self._part, self._text))
        self.check()


Run = Callable[[Any, Any, Context], Any]
"""Function ``run(problem, params, context)``, which returns a result or yields ever better ones."""


@dataclass(frozen=True)
class Stage:
    """One result of a page: how it is computed and what it depends on.

    ``run(problem, params, context)`` receives the parameters with every ignored one at its default, so that
    the result cannot depend on it by mistake. A stage that ignores the choice of data receives None as the
    problem.

    Parameters
    ----------
    name : str
        Name of the result.
    run : callable
        Function that returns the result, or yields partial results and finally the complete one. It raises a
        ValueError with a message for invalid input. It runs in its own thread, without access to
        the session.
    ignores, uses : tuples of str
        ``ignores``: names of the parameters that do not affect the result. ``uses``: alternatively, names of
        all parameters that affect it.
    sees : callable, optional
        ``sees(params)`` returns the parameters that the stage receives, if ``ignores`` cannot express them
        (e.g. if two methods share their trials).
    after : str
        Name of a stage that must be complete before this one starts.
    of : str
        Name of another stage. Its latest result, partial or final, is the input ``context.source``. A new
        input starts a new computation.
    when : callable, optional
        ``when(problem, params)``: whether the page shows this result.
    behind : bool or callable
        Whether to run in the background instead of the page's thread. A function
        ``behind(problem, params)`` may return this.
    draft : callable, optional
        Function that computes a provisional result, shown while a slider moves and until a better one
        is available. It is called like ``run``, but no parameter is reset to its default. It may return
        None.
    holds : callable, optional
        ``holds(problem, result)``: whether a cached result is still valid.
    stays : callable, optional
        ``stays(result)``: whether a result stays displayed (in ``PageState.before``) after a change
        of parameters until it can be replaced.
    depth : Depth
        First level of detail that shows the result. The result is not computed at lower levels.
    rests_on : tuple of str
        Cached properties of the problem that are expensive and stored on disk with the result.
    ships : bool
        Whether the project contains the result for the parameters with which the page opens, so that the page opens
        with all results also on a new server (`ui.runner.prepared_result.opening_file`).
    on_demand : bool
        Whether the stage is started only by ``Pipeline.ask``.
    tabs : tuple of str
        Tabs that show the result: the stage runs only while one of them is open. () if the result is
        also shown outside of tabs.
    wait : float
        Seconds for which a page waits for a first result when no slider moves.
    doing : str
        Text of the progress bar, such as “Training at every noise level”. “{}” stands for a
        preview's control.
    """

    name: str
    run: Run
    _: KW_ONLY
    ignores: tuple[str, ...] = ()
    uses: tuple[str, ...] | None = None
    sees: Callable[[Any], Any] | None = None
    after: str = ""
    of: str = ""
    when: Callable[[Any, Any], bool] | None = None
    behind: bool | Callable[[Any, Any], bool] = True
    draft: Run | None = None
    holds: Callable[[Any, Any], bool] | None = None
    stays: Callable[[Any], bool] | None = None
    depth: Depth = Depth.LOOK
    rests_on: tuple[str, ...] = ()
    ships: bool = False
    on_demand: bool = False
    tabs: tuple[str, ...] = ()
    wait: float = 0.02
    doing: str = ""
    control: str = ""

    def seen(self, params: Any) -> Any:
        """Return the parameters with every ignored one at its default.

        The stage receives these parameters.
        """
        known = params.controls()
        seen = params.but(**{name: known[name].default for name in self.ignored(params)})
        return self.sees(seen) if self.sees else seen

    def ignored(self, params: Any) -> set[str]:
        """Return the names of the parameters that do not change the stage's result."""
        if self.uses is None:
            return set(self.ignores)
        return {item.name for item in fields(params)} - set(self.uses)

    def is_behind(self, problem: Any, params: Any) -> bool:
        """Return whether the stage runs in the background for this problem and these parameters."""
        return self.behind(problem, params) if callable(self.behind) else self.behind

    def finish(self, problem: Any, params: Any, context: Context, run: Run | None = None) -> Any:
        """Compute and return the final result; report partial results in between.

        Raises
        ------
        Cancelled
            When the stage was cancelled, even if ``run`` has returned a result.
        """
        result = (run or self.run)(problem, params, context)
        if isinstance(result, Iterator):
            last = None
            for last in result:
                context.better(last)
            result = last
        if context.cut:
            raise Cancelled
        return result


@dataclass(frozen=True)
class Data(Stage):
    """Stage that loads the data: its ``run(upload, params, context)`` returns the learning problem.

    ``upload`` is the user's table if ``params`` requests it, else None. Public data are loaded at
    each call unless ``behind``; ``run`` should therefore cache them (``functools.lru_cache``). A
    user's data are cached only in the user's session, by a token of the upload.

    Parameters
    ----------
    own : str
        Key of the user's table in the session (see ``ui.upload.files``); "" if the page accepts
        none.
    choice : str
        Name of the parameter whose value "own" requests the user's table.
    instead : mapping
        Parameters to change if the data are unavailable, with their new values. The reason is displayed,
        followed by ``shown``.
    meanwhile : mapping
        Parameters to change while the data load in the background, with their new values. If empty, the
        problem is None until the data are loaded.
    """

    own: str = ""
    choice: str = "dataset"
    instead: Mapping[str, Any] = field(default_factory=dict)
    shown: str = ""
    meanwhile: Mapping[str, Any] = field(default_factory=dict)
    behind: bool | Callable[[Any, Any], bool] = False


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Declaration of a page's computations.

    Parameters
    ----------
    name : str
        Key of the page.
    stages : sequence of Stage
        Stages in the order in which they start.
    data : Data, optional
        The stage that loads the problem.
    words : tuple of str
        Names of the stages whose results are used in the text below the figure.
    words_depend_on : callable, optional
        ``words_depend_on(params, results)`` returns the values that the text depends on; by default it
        depends on every new result of the stages in ``words``.
    tab : str
        Tab that is open until the user opens another one: the first tab of the figure.
    """

    name: str
    stages: Sequence[Stage]
    data: Data | None = None
    words: tuple[str, ...] = ()
    words_depend_on: Callable[[Any, Mapping[str, Any]], Any] | None = None
    tab: str = ""

    def stage(self, name: str) -> Stage:
        """Return the stage with this name."""
        return next(stage for stage in self.stages if stage.name == name)


def previews(
    run: Run, *controls: str, kind: str = "preview", ignores: tuple[str, ...] = (), **options: Any
) -> list[Stage]:
    """Return a stage for each control that precomputes what the figure shows while the control's slider moves.

    A preview contains the results at all values of its own control (``context.control``). The
    control's current value is ignored, so that a move of the slider does not start the stage again.
    ``options`` are further arguments of `Stage`.
    """
    return [
        Stage(f"{kind} {name}", run, ignores=(*ignores, name), control=name, **options)
        for name in controls
    ]
