"""Quiz of the Formulas page: a formula as printed, a vote, and then the correction and the figure of the formula."""

from __future__ import annotations

from html import escape as escape_html

import streamlit as st

from dpcore.experiments.formulas import Entry
from pages.formulas import rendering
from pages.formulas.figure import figure
from ui.live import component
from ui.words import text

__all__ = ["ASKED", "SHOWN", "asked", "current", "draw"]

T = text.load_text(__file__)
ASKED = ("right", "wrong")
"""Verdicts that a reader can vote for; formulas with another verdict are not asked about."""
SHOWN = "shown"  # instead of a vote: the reader has asked for the answer
_HEIGHT = 300
_MARKS = {True: ("✓", "hit"), False: ("✗", "miss")}
CSS = """<style>
.st-key-ask h2 {font-size: 1.3rem; padding: 0; text-align: center;}
.st-key-ask [class*="st-key-printed"] {padding-block: 1.4rem 1rem;}
.st-key-ask [class*="st-key-printed-formula"] p {font-size: clamp(1.5rem, 4vw, 2.9rem);}
.st-key-ask [class*="st-key-printed-words"] p {font-size: clamp(1.3rem, 2.6vw, 2.2rem);}
.st-key-ask:has(.st-key-plain) {justify-content: center; min-height: min(62vh, 36rem);}
@media (min-width: 1000px) {
  .st-key-ask:has(.st-key-plain) [class*="st-key-printed"] {padding-block: 2rem 1.6rem;}
  .st-key-ask:has(.st-key-plain) [class*="st-key-printed-formula"] p {font-size: 4.4rem;}
  .st-key-ask:has(.st-key-plain) [class*="st-key-printed-words"] p {font-size: 2.8rem;}
}
.st-key-plain p {text-align: center; font-size: 1.1rem;}
.st-key-vote {justify-content: center;}
.st-key-vote button:not([kind="tertiary"]) {min-width: 9.5rem; min-height: 3.4rem; border-width: 2px;
  border-radius: 0.9rem;}
.st-key-vote button:not([kind="tertiary"]) p {font-size: 1.25rem; font-weight: 600;}
.st-key-vote-right button:not(:hover) {border-color: #1a9257;}
.st-key-vote-wrong button:not(:hover) {border-color: #d2402c;}
.st-key-told p {font-size: 1.15rem;}
.dp-marks {display: flex; flex-wrap: wrap; gap: 0.3rem; justify-content: center; align-items: center;
  margin: 0.6rem 0 0;}
.dp-marks span {width: 1.25rem; height: 1.25rem; border-radius: 50%; font-size: 0.8rem; line-height: 1.25rem;
  text-align: center; border: 1.5px solid light-dark(#c3c8d4, #4a5268); box-sizing: content-box;}
.dp-marks .dp-hit {color: #fff; background: #1a7f4b; border-color: #1a7f4b;}
.dp-marks .dp-miss {color: #fff; background: #c0392b; border-color: #c0392b;}
.dp-marks .dp-shown {background: light-dark(#c3c8d4, #4a5268);}
.dp-marks .dp-now {outline: 2px solid light-dark(#4f46e5, #a5b4fc); outline-offset: 1px;}
.dp-marks b {margin-left: 0.6rem; font-size: 0.95rem;}
@media (max-width: 760px) {
  .st-key-vote button:not([kind="tertiary"]) {min-width: 8rem;}
  .dp-marks span {width: 0.6rem; height: 0.6rem; font-size: 0;}
  .dp-marks {gap: 0.15rem;}
}
</style>"""


def asked(entries: list[Entry]) -> list[Entry]:
    """Return the formulas to vote on: first those on the list of easy formulas, then the others, in their order."""
    easy = {key: place for place, key in enumerate(T.group("asked"))}
    known = [entry for entry in entries if entry.verdict in ASKED]
    return sorted(known, key=lambda entry: easy.get(key_of(entry), len(easy)))


def key_of(entry: Entry) -> str:
    """Return the number of a formula in a form for names of elements, such as "3-26"."""
    return entry.id.replace(".", "-")


def current(entries: list[Entry]) -> Entry:
    """Return the formula that the link names, else the formula shown last, else the first formula."""
    by_id = {entry.id: entry for entry in entries}
    names = (st.query_params.get("formula", ""), st.session_state.get("formulas.at", ""))
    entry = next((by_id[name] for name in names if name in by_id), entries[0])
    st.session_state["formulas.at"] = entry.id
    return entry


def _votes() -> dict[str, str]:
    """Return the votes of this session by formula; they are kept when the page is drawn again."""
    votes: dict[str, str] = st.session_state.setdefault("formulas.votes", {})
    return votes


def _vote(entry: Entry, vote: str) -> None:
    _votes().setdefault(entry.id, vote)


def _go_to(entry: Entry) -> None:
    st.session_state["formulas.at"] = st.query_params["formula"] = entry.id


def draw(entries: list[Entry]) -> None:
    """Draw the current formula of the quiz: with buttons before the vote, and with its correction after the vote."""
    entry = current(entries)
    if st.query_params.get("formula", entry.id) != entry.id:
        st.query_params["formula"] = entry.id
    vote = _votes().get(entry.id)
    with st.container(border=True, key="ask"):
        st.markdown(f"## {entry.title.partition(' (')[0]} :gray[:small[{entry.document}]]")
        kind = "formula" if "$" in entry.printed else "words"
        with st.container(key=f"printed-{kind}-{key_of(entry)}"):
            st.markdown(
                rendering.large(rendering.corrected(entry.corrected) if vote else entry.printed)
            )
        if not vote:
            plain = T.group("asked").get(key_of(entry), "")
            st.container(key="plain").markdown(plain)
        if vote:
            _draw_answer(entry, vote, entries)
        else:
            _draw_buttons(entry)
        st.html(_marks(entries, entry))
        if vote:
            _draw_reason(entry)


def _draw_buttons(entry: Entry) -> None:
    with st.container(key="vote", horizontal=True, vertical_alignment="center"):
        for verdict in ASKED:
            st.button(
                T(f"ask.{verdict}"), key=f"vote-{verdict}", on_click=_vote, args=(entry, verdict)
            )
        st.button(
            T("ask.show"), key="vote-show", type="tertiary", on_click=_vote, args=(entry, SHOWN)
        )


def _draw_answer(entry: Entry, vote: str, entries: list[Entry]) -> None:
    """Draw the verdict and the user's vote, and a button that opens the next formula without a vote."""
    colour = {"right": "green", "wrong": "red"}[entry.verdict]
    verdict = f":{colour}[**{entry.verdict}**]"
    after = entries[entries.index(entry) + 1 :] + entries[: entries.index(entry)]
    ahead = next((one for one in after if one.id not in _votes()), None)
    with st.container(key="vote", horizontal=True, vertical_alignment="center"):
        with st.container(key="told", width="content"):
            if vote == SHOWN:
                st.markdown(T("ask.told", verdict=verdict))
            elif vote == entry.verdict:
                st.markdown(T("ask.agreed", verdict=verdict))
            else:
                st.markdown(T("ask.differed", vote=vote, verdict=verdict))
        if ahead:
            st.button(
                T("ask.next"), key="vote-next", type="primary", on_click=_go_to, args=(ahead,)
            )


def _draw_reason(entry: Entry) -> None:
    """Draw the document's words, the reason for the verdict, and the figure of the formula."""
    words, picture = st.columns([1, 1.8], gap="large")
    with words:
        st.markdown(rendering.describe(entry))
        if entry.evidence:
            with st.expander(T("entry.evidence")):
                st.markdown(entry.evidence)
        rendering.link(entry)
    with picture:
        name = f"formula_{key_of(entry).replace('-', '_')}"
        drawn = component.with_user_values(figure(entry, height=_HEIGHT), key=name)
        component.show(drawn, key=name)


def _marks(entries: list[Entry], entry: Entry) -> str:
    """Return HTML with a mark for each easy formula and each formula with a vote, and with the score of the votes."""
    votes, easy = _votes(), T.group("asked")
    marks = []
    for one in entries:
        vote = votes.get(one.id)
        if vote is None and one is not entry and key_of(one) not in easy:
            continue
        sign, name = (
            ("", "")
            if vote is None
            else ("", SHOWN)
            if vote == SHOWN
            else _MARKS[vote == one.verdict]
        )
        now = " dp-now" if one is entry else ""
        marks.append(f'<span class="dp-{name or "open"}{now}" aria-hidden="true">{sign}</span>')
    tried = {one.id: one.verdict for one in entries if votes.get(one.id, SHOWN) != SHOWN}
    score = T(
        "ask.score", right=sum(votes[id] == verdict for id, verdict in tried.items()), n=len(tried)
    )
    said = f"<b>{escape_html(score)}</b>" if tried else ""
    return f'<p class="dp-marks">{"".join(marks)}{said}</p>'
