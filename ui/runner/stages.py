"""Declarations of a page's work: its stages, its previews, the data they work on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from typing import Any

from ui.frame.depth import Depth
from ui.jobs.reports import Cancelled, Report

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
    """Ignore a progress report: the work is done in the foreground."""


def never_cancelled() -> bool:
    """Return False: the work is done in the foreground and never cancelled."""
    return False


class Context:
    """Context of a running stage: progress, cancellation, its inputs.

    ``control`` is the control of a preview, ``given`` the result named by ``Stage.of``, ``asked`` the
    parameters on the screen with nothing ignored: for the order of the work alone, never its result.
    """

    def __init__(
        self,
        report: Callable[[Report], None] = ignore_report,
        cancelled: Callable[[], bool] = never_cancelled,
        *,
        control: str = "",
        given: Any = None,
        asked: Any = None,
    ) -> None:
        self._report, self._cancelled = report, cancelled
        self._part, self._text = 0.0, ""
        self.cut = False
        self.control, self.given, self.asked = control, given, asked

    def progress(self, part: float, text: str = "") -> None:
        """Report the fraction done, 0 to 1, and a few words on the progress."""
        self._part, self._text = min(part, 0.99), text  # whole only when the stage has returned
        self._report(Report(None, self._part, text))

    def check(self) -> None:
        """Raise `Cancelled` if the result is no longer wanted: the only way to stop work early."""
        if self.cut or self._cancelled():
            self.cut = True
            raise Cancelled

    def along(self, params: Any) -> Iterator[Any]:
        """Yield ``params`` at each value of the preview's control, with progress and checks between."""
        grid = params.controls()[self.control].grid or ()
        for k, value in enumerate(grid):
            self.check()
            yield params.but(**{self.control: value})
            self.progress((k + 1) / len(grid), f"{k + 1} of {len(grid)}")

    def better(self, value: Any) -> None:
        """Report a partial result."""
        self._report(Report(value, self._part, self._text))
        self.check()


Run = Callable[[Any, Any, Context], Any]
"""``run(problem, params, context)`` returns a result, or yields ever better ones."""


@dataclass(frozen=True)
class Stage:
    """Result of a page: its computation and its dependencies.

    ``run(problem, params, context)`` gets the parameters with everything it ignores at its default,
    so that it cannot depend on it by mistake; a stage that ignores the choice of data gets no problem.

    Parameters
    ----------
    name : str
        Under this name the page reads the result.
    run : callable
        Returns the result, or yields ever better ones, the last of them whole. Bad input raises a
        ValueError with a sentence. It runs in a thread of its own: it knows of no session.
    ignores, uses : tuples of str
        Parameters that do not change the result; or, instead, all those that do.
    sees : callable, optional
        ``sees(params)``: the parameters as they count, where more is to be said than ``ignores`` can
        (two methods that share their trials).
    after : str
        A stage that has to be whole before this one starts.
    of : str
        A stage whose present result, whole or not, is worked on: ``context.given``. Another such result
        is another question.
    when : callable, optional
        ``when(problem, params)``: whether the page shows this result at all.
    behind : bool or callable
        In the background, or at once in the page's own thread; ``behind(problem, params)`` decides.
    draft : callable, optional
        What stands in while a handle moves, and until there is something better: like ``run``, but with all
        parameters as they are. None where it has nothing to show.
    holds : callable, optional
        ``holds(problem, result)``: whether a result kept from before may still be used.
    stays : callable, optional
        ``stays(result)``: whether a result is worth its place on the screen until another one is: then
        ``PageState.before`` holds it while nothing better is known at other parameters.
    depth : Depth
        From which depth of the page on its result is shown; at smaller ones nobody computes it.
    rests_on : tuple of str
        Cached properties of the problem that took as long as the result: kept on disk along with it.
    on_demand : bool
        Started by ``Pipeline.ask`` alone.
    tabs : tuple of str
        The tabs that show it: it is started only while one of them is open; () for what stands outside of
        the tabs as well.
    wait : float
        Seconds that a settled page waits for a first value.
    doing : str
        What is going on, for the bar: “Training at every noise level”. “{}” stands for a preview's control.
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
    on_demand: bool = False
    tabs: tuple[str, ...] = ()
    wait: float = 0.02
    doing: str = ""
    control: str = ""

    def seen(self, params: Any) -> Any:
        """Return the parameters with every field that the stage ignores at its default."""
        known = params.controls()
        seen = params.but(**{name: known[name].default for name in self.ignored(params)})
        return self.sees(seen) if self.sees else seen

    def ignored(self, params: Any) -> set[str]:
        """Return the names of the parameters that do not change the result."""
        if self.uses is None:
            return set(self.ignores)
        return {item.name for item in fields(params)} - set(self.uses)

    def is_behind(self, problem: Any, params: Any) -> bool:
        """Return whether it runs in the background for this problem."""
        return self.behind(problem, params) if callable(self.behind) else self.behind

    def finish(self, problem: Any, params: Any, context: Context, run: Run | None = None) -> Any:
        """Return the final result; report partial ones on the way.

        Raises
        ------
        Cancelled
            When the stage was cancelled, also when ``run`` has returned all the same.
        """
        found = (run or self.run)(problem, params, context)
        if isinstance(found, Iterator):
            last = None
            for last in found:
                context.better(last)
            found = last
        if context.cut:
            raise Cancelled
        return found


@dataclass(frozen=True)
class Data(Stage):
    """The stage that reads the data: its ``run(upload, params, context)`` returns the problem.

    ``upload`` is what the person gave when ``params`` asks for their own data, else None. Data known by
    name are read again at each call unless ``behind``: keep them by name (``functools.lru_cache``). Own
    data are kept in their session alone, by a token of the upload.

    Parameters
    ----------
    own : str
        Where ``ui.upload.files`` keeps a person's own table in the session; "": this page takes none.
    choice : str
        The parameter that is "own" when they are asked for.
    instead : mapping
        Parameters that are shown when the data cannot be had; the reason is said, followed by ``shown``.
    meanwhile : mapping
        Parameters that are shown while the data are read behind; without it there is no problem yet.
    """

    own: str = ""
    choice: str = "dataset"
    instead: Mapping[str, Any] = field(default_factory=dict)
    shown: str = ""
    meanwhile: Mapping[str, Any] = field(default_factory=dict)
    behind: bool | Callable[[Any, Any], bool] = False


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The declaration of a page's work.

    Parameters
    ----------
    name : str
        The page's key.
    stages : sequence of Stage
        In the order in which they start.
    data : Data, optional
        Where the problem comes from.
    words : tuple of str
        The stages that the words under the figure tell of.
    words_depend_on : callable, optional
        ``words_depend_on(params, results)``: what the words depend on, where it is less than every version of
        the stages ``words``.
    tab : str
        The tab that is open before the reader has opened one: the figure's first.
    """

    name: str
    stages: Sequence[Stage]
    data: Data | None = None
    words: tuple[str, ...] = ()
    words_depend_on: Callable[[Any, Mapping[str, Any]], Any] | None = None
    tab: str = ""

    def stage(self, name: str) -> Stage:
        """Return the stage with a name."""
        return next(stage for stage in self.stages if stage.name == name)


def previews(
    run: Run, *controls: str, kind: str = "preview", ignores: tuple[str, ...] = (), **options: Any
) -> list[Stage]:
    """Return a preview stage for each control: its arrays at each of the slider's values.

    A preview holds all values of its own control (``context.control``) and so ignores it: moving that
    handle does not ask anew. ``options`` are those of `Stage`.
    """
    return [
        Stage(f"{kind} {name}", run, ignores=(*ignores, name), control=name, **options)
        for name in controls
    ]
