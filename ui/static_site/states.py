"""Prepared states of a page at one level of detail: which there are, and their figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dpcore.experiments.params import Params
from ui.frame.lattice import Lattice
from ui.frame.page_spec import PageSpec, shown
from ui.live import Figure
from ui.live.depth import Depth
from ui.runner import PageState, Stage
from ui.static_site.prepared_figure import SEED, prepared_figure

__all__ = ["PreparedPage"]


@dataclass(frozen=True)
class PreparedPage:
    """A page at one level of detail, with the states that are prepared.

    Parameters
    ----------
    spec : PageSpec
        The page, with a `Lattice` as its ``site``.
    depth : Depth
        The level of detail. States combine values of the seed and of parameters with a control at this level.
    """

    spec: PageSpec[Any]
    depth: Depth

    @property
    def lattice(self) -> Lattice:
        """The page's declaration of prepared values."""
        if self.spec.site is None:
            raise ValueError(f"The page {self.spec.key} declares no prepared states.")
        return self.spec.site

    @cached_property
    def values(self) -> Mapping[str, tuple[Any, ...]]:
        """Prepared values of each combined parameter, in the order of the page's controls."""
        usual = vars(self.spec.params())
        return {
            item.name: self.lattice.of(item.name, usual[item.name])
            for item in self.spec.controls
            if item.name in self.lattice.values and (item.depth <= self.depth or item.name == SEED)
        }

    @cached_property
    def states(self) -> list[Params]:
        """Parameters of all states, the last of the parameters in ``values`` changing fastest."""
        usual = self.spec.params()
        chosen = self.lattice.combinations([*self.values], vars(usual))
        return [usual.but(**values).following(usual) for values in chosen]

    def computed(self, params: Params) -> PageState[Any]:
        """Return the page's state with the results that the site shows; compute missing ones in the calling thread.

        Results of the stages ``without`` and ``ready`` of the `Lattice` are not computed.

        Raises
        ------
        ValueError
            When the data are missing or a computation fails. The message says why.
        """
        pipeline = self.spec.pipeline
        first = pipeline.still(params)
        unnamed = {*self.lattice.without, *self.lattice.ready}
        wanted = [
            stage.name
            for stage in self._stages()
            if stage.name not in unnamed
            and (stage.when is None or stage.when(first.problem, first.params))
        ]
        state = pipeline.still(params, *wanted)
        if state.problems:
            raise ValueError(f"{self.spec.key}: {' '.join(state.problems)}")
        return state

    def figure(self, state: PageState[Any]) -> Figure:
        """Return the figure of a state, as the site shows it."""
        tabs = [
            tab
            for stage in self._stages()
            if stage.name in self.lattice.without
            for tab in stage.tabs
        ]
        return prepared_figure(shown(self.spec, state, self.depth), self.values, self.depth, tabs)

    def _stages(self) -> list[Stage]:
        return [
            stage
            for stage in self.spec.pipeline.stages
            if not (stage.control or stage.on_demand) and stage.depth <= self.depth
        ]
