"""First rows of a user's table as HTML, with the role of each column."""

from __future__ import annotations

import html
from collections.abc import Mapping

import pandas as pd

from ui.words import escape, text
from ui.words.numbers import show

__all__ = ["preview"]

T = text.load_text(__file__)
_ROWS, _COLUMNS = 4, 30
_STYLE = """<style>
.dp-own {overflow-x: auto; max-width: 100%; border: 1px solid color-mix(in srgb, currentColor 22%, transparent);
  border-radius: 0.4rem;}
.dp-own table {border-collapse: collapse; font-size: 0.85rem; width: 100%;}
.dp-own caption {text-align: left; padding: 0.3rem 0.6rem; caption-side: top;}
.dp-own th, .dp-own td {padding: 0.2rem 0.6rem; text-align: left; white-space: nowrap;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent);}
.dp-own th small {display: block; font-weight: 400;}
.dp-own .dp-used {background: color-mix(in srgb, currentColor 7%, transparent);}
.dp-own .dp-target {background: color-mix(in srgb, var(--st-primary-color, #4f46e5) 20%, transparent);}
</style>"""


def preview(frame: pd.DataFrame, roles: Mapping[str, str], *, cells: bool = True) -> str:
    """Return the first rows of a table as HTML.

    ``roles`` maps columns to their roles, such as "predicted". Unless ``cells`` is True, the names of columns alone
    are shown.

    All text is escaped, since names and cells are untrusted.
    """
    names = [str(name) for name in frame.columns[:_COLUMNS]]
    rows = frame.iloc[: _ROWS if cells else 0, :_COLUMNS]
    head = "".join(
        f'<th scope="col"{_look(roles.get(name, ""))}>{_safe(name)}<small>{_role(roles.get(name, ""))}'
        "</small></th>"
        for name in names
    )
    body = "".join(f"<tr>{_cells(row, names, roles)}</tr>" for row in rows.to_numpy(object))
    caption = T("preview.rows", shown=len(rows), n=len(frame))
    if not cells:
        caption = T("preview.hidden")
    elif len(frame.columns) > len(names):
        caption = T(
            "preview.rows_and_columns", shown=len(rows), n=len(frame), columns=_COLUMNS,
            all_columns=len(frame.columns),
        )  # fmt: skip
    return (
        f'{_STYLE}<div class="dp-own" role="region" aria-label="{T("preview.label")}" tabindex="0"><table>'
        f"<caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cells(row: object, names: list[str], roles: Mapping[str, str]) -> str:
    return "".join(
        f"<td{_look(roles.get(name, ''))}>{_safe(_shown(cell))}</td>"
        for name, cell in zip(names, row, strict=True)  # type: ignore[call-overload]
    )


def _shown(cell: object) -> object:
    if pd.isna(cell):
        return ""
    return show(cell, ".6g") if isinstance(cell, float) else cell


def _role(role: str) -> str:
    return html.escape(T(f"roles.{role}")) if role else ""


def _look(role: str) -> str:
    kind = {"predicted": "dp-target", "used": "dp-used"}.get(role, "")
    return f' class="{kind}"' if kind else ""


def _safe(value: object) -> str:
    return html.escape(escape.tame(value, 40))
