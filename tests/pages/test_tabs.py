"""What a closed tab shows is not computed: so each stage has to name every tab that it serves."""

from collections.abc import Iterator

import pytest

from pages import specs
from ui.frame.page_spec import PageSpec
from ui.runner import Context, PageState

SPECS = [spec for spec in specs() if isinstance(spec, PageSpec)]
TABBED = [spec for spec in SPECS if any(stage.tabs for stage in spec.pipeline.stages)]
SMALL = {"network": {"epochs": 5, "sample_rate": 0.5}}
"""Parameters of shorter trainings for pages whose default trainings take long."""


def params_of(spec):
    return spec.params(**SMALL.get(spec.key, {}))


def results(spec):
    """Results of every stage; of those that grow the first, or of a short training the last.

    A worker process that comes to its end works again for the next stage; one that is left in the middle goes on.
    """
    params, plan, found = params_of(spec), spec.pipeline, {}
    problem = plan.data.finish(None, plan.data.seen(params), Context()) if plan.data else None
    for stage in plan.stages:
        if stage.control or (stage.when and not stage.when(problem, params)):
            continue
        context = Context(source=found.get(stage.of), shown_params=params)
        result = stage.run(problem, stage.seen(params), context)
        if isinstance(result, Iterator):
            result = [*result][-1] if spec.key in SMALL else next(result)
        found[stage.name] = result
    return problem, found


def figure(spec, problem, known):
    params = params_of(spec)
    return spec.figure(
        PageState(params=params, requested_params=params, problem=problem, results=known)
    )


def drawn(made):
    """What each panel draws, by its key: its tab, and the contents of all that its layers name."""
    return {
        panel.key: (panel.tab, [_content(made, layer.arguments()) for layer in panel.layers],
                    _content(made, {"tiles": panel.tiles, "still": panel.still}))
        for panel in made.panels
    }  # fmt: skip


def _content(made, arguments):
    def one(value):
        array = made.arrays.get(value) if isinstance(value, str) else None
        return (array.digest, array.dims) if array else repr(value)

    return {name: one(value) for name, value in arguments.items()}


def check_stage(spec, name, problem, known):
    whole = drawn(figure(spec, problem, known))
    less = drawn(figure(spec, problem, {k: v for k, v in known.items() if k != name}))
    changed = {
        (whole.get(key) or less[key])[0]
        for key in {*whole, *less}
        if whole.get(key) != less.get(key)
    }
    assert changed, name
    assert changed <= set(spec.pipeline.stage(name).tabs), name


def check_tabs(spec, problem, known):
    tabs = list(
        dict.fromkeys(panel.tab for panel in figure(spec, problem, known).panels if panel.tab)
    )
    assert tabs[0] == spec.pipeline.tab
    without = list(dict.fromkeys(
        panel.tab for panel in figure(spec, problem, {
            name: value for name, value in known.items() if not spec.pipeline.stage(name).tabs
        }).panels if panel.tab
    ))  # fmt: skip
    assert without == tabs  # a tab that is not there could not be opened
    assert {tab for stage in spec.pipeline.stages for tab in stage.tabs} <= set(tabs)


@pytest.mark.parametrize("spec", TABBED, ids=lambda spec: spec.key)
def test_a_stage_of_some_tabs_is_drawn_in_no_other_and_each_tab_is_there(spec):
    """One test a page: its results are computed once."""
    problem, known = results(spec)
    check_tabs(spec, problem, known)
    for stage in spec.pipeline.stages:
        if stage.tabs and not stage.control:
            check_stage(spec, stage.name, problem, known)
