"""Functions and records for all pages of the static site: how a page is written, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ui.frame.page_spec import PageEntry
from ui.live import Figure
from ui.static_site import markup
from ui.static_site.files import SiteFolder, State

__all__ = ["Site", "Written"]


@dataclass(frozen=True, kw_only=True)
class Written:
    """A page of the site: its file, the states that it shows, and the files that its first figure waits for."""

    key: str
    file: str
    states: tuple[State, ...]
    first: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Site:
    """Data that all pages of a site share: the folder, the assets, the pages in the navigation, and the address.

    ``elsewhere`` are the pages that need the app.
    """

    folder: SiteFolder
    assets: str
    entries: Sequence[PageEntry]
    elsewhere: Sequence[PageEntry]
    base: str

    def write(
        self,
        file: str,
        title: str,
        description: str,
        body: str,
        *,
        narrow: bool = False,
        **how: Any,
    ) -> None:
        """Write a page with the navigation above its body."""
        key = file.partition(".")[0].replace("index", "home")
        narrowed = " dp-site-narrow" * narrow
        main = f'<main class="stMainBlockContainer{narrowed}">{body}</main>'
        text = markup.page(
            folder=self.assets, title=title, description=description,
            body=markup.navigation(self.entries, key) + main,
            address=f"{self.base}/{file}" if self.base else "", **how,
        )  # fmt: skip
        self.folder.write(file, text.encode())

    def state_of(self, name: str, figure: Figure) -> State:
        """Write the only state of a figure outside of the prepared pages, unless it is on disk; return the state."""
        file = self.folder.name_of(name)
        return self.folder.find(file) or self.folder.put(file, figure)
