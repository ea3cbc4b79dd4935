"""Content of the first lesson on one page: for each step a text, a figure, a question, and an explanation."""

from __future__ import annotations

import streamlit as st

from pages.lesson.figures import FIGURES
from pages.lesson.steps import STEPS, Step
from ui.frame import guarantee_card, shell
from ui.frame.page_spec import PageEntry
from ui.live import component
from ui.words import glossary, text

__all__ = ["draw"]

_CSS = """<style>.stMainBlockContainer {{max-width: 88rem;}}
.dp-onward {{display: none;}}
[class*="st-key-lesson"] [data-testid="stWidgetLabel"] p {{font-size: 1.05rem; font-weight: 700;}} /* as the text */
[class*="st-key-lesson"] [data-testid="stRadioOption"] p {{font-size: 1.05rem;}}
@media (min-width: 761px) {{ /* the switch stands beside the handle */
  .dp-figure .dp-controls {{display: grid; grid-template-columns: minmax(0, 1fr) auto; column-gap: 2.5rem;
    align-items: center;}}
}}
@media (min-width: 761px) and (max-width: 999px) and (max-height: 920px) {{ /* the numbers stay in sight */
  .dp-figure .dp-plot {{height: min(var(--height, 380px), 40vh);}}
}}
@media (min-width: 1000px) {{ /* the figure beside its text and question */
  {steps} {{display: grid; grid-template: repeat({rows}, auto) 1fr / minmax(0, 1fr) minmax(0, {width}fr);
    column-gap: 2.5rem; row-gap: 0.3rem; align-items: start;}}
  {steps} > * {{grid-column: 1;}}
  {steps} > :has(.dp-figure) {{grid-column: 2; grid-row: 1 / span {all};}}
  {steps} .dp-plot {{height: min(var(--height, 380px), max(14rem, 100vh - 25.5rem));}}
  .st-key-step-1 .dp-plot {{height: min(var(--height, 380px), max(14rem, 100vh - 24.5rem)) !important;}}
  {steps} .dp-people {{display: grid; grid-template-columns: 13rem minmax(0, 1fr); column-gap: 1.2rem;}}
  {steps} .dp-people > * {{grid-column: 2;}}
  {steps} .dp-people > .dp-crowd {{grid-column: 1; grid-row: 1 / span 4;}}
}}
@media (max-width: 760px) {{ /* shorter to scroll: pictures are saved on larger screens */
  .dp-figure :is(.dp-save, .dp-ends) {{display: none;}}
  .dp-figure .dp-menu .dp-mini {{min-height: 2rem;}}
  .dp-figure .dp-plot {{height: min(var(--height, 380px), 42vw);}}
  :is(.st-key-step-1, .st-key-step-2) .dp-figure .dp-plot {{height: 58vw;}} /* as the class is wide */
  /* Each step from its title to the end of its picture fits one screen. */
  .dp-prose {{font-size: 0.95rem; line-height: 1.4; margin-bottom: 0.5rem;}}
  .stMainBlockContainer :is(.stVerticalBlock, .stHorizontalBlock) {{gap: 0.5rem;}}
  /* One step at a time: the one that the address names, or else the first without an answer. */
  .dp-onward {{display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; margin: 0.4rem 0;}}
  .dp-onward a {{padding: 0.5rem 0.8rem; min-height: 2.5rem; box-sizing: border-box; border-radius: 0.5rem;
    border: 1px solid color-mix(in srgb, currentColor 25%, transparent); font-weight: 600;}}
  .dp-onward a, .dp-onward a:visited {{color: inherit; text-decoration: none;}}
  div:has(> [class*="st-key-step-"]) {{display: none;}}
  div:has(> [class*="st-key-step-"] :target) {{display: flex;}}
  .stMain:not(:has([class*="st-key-step-"] :target)) div:has(> .st-key-step-{first}) {{display: flex;}}
}}</style>"""
_PRESENTED = "<style>@media (min-width: 1000px) {.dp-opening {display: none;}}</style>"
_PARTS = 4  # of a step beside its figure: title, text, question, reason
_WIDTHS = {
    False: 2.2,
    True: 1.3,
}  # of the figure, in widths of its text, by presenter mode: texts are larger there
T = text.load_text(__file__)
_ONWARD = ("mechanisms", "budget", "relevance", "home")


def draw(page: PageEntry) -> None:
    """Draw the lesson, with the title and the question that ``page`` declares."""
    shell.header(page.title, page.question, opening=page.opening)
    _take_link()
    presented = bool(st.session_state.get("presenter"))
    st.html(_style(presented))
    if presented:
        st.html(_PRESENTED)
    seen: list[str] = []
    for number, step in enumerate(STEPS, start=1):
        with st.container(key=f"step-{number}"):
            st.fragment(_step)(step, number, tuple(seen))
            _onward(number)
        seen += glossary.marked(step.text) + glossary.marked(step.reveal)
    with st.container(key=f"step-{len(STEPS) + 1}"):
        _goodbye()
        _onward(len(STEPS) + 1)
    guarantee_card.looking()


def _style(presented: bool) -> str:
    """Return the page's style sheet, which places the figure of a step next to the text on a wide screen."""
    keys = ", ".join(f".st-key-step-{number}" for number in range(1, len(STEPS) + 1))
    return _CSS.format(
        first=_first(), steps=f":is({keys}) > div > .stVerticalBlock", rows=_PARTS, all=_PARTS + 1,
        width=_WIDTHS[presented],
    )  # fmt: skip


def _take_link() -> None:
    """Copy the answers in the link to the session; ignore invalid answers."""
    for step in STEPS:
        choice = st.query_params.get(step.key, "")
        if f"lesson.{step.key}" not in st.session_state and choice.isdecimal():
            place = int(choice[:3])
            if place < len(step.options):
                st.session_state[f"lesson.{step.key}"] = step.options[place]


def _first() -> int:
    """Return the number of the step that a phone shows when the lesson opens: the first step without an answer.

    Steps are numbered from 1. If all steps have answers, the number is 1. Answers that are given later in the same
    session do not change it.
    """
    if "lesson.first" not in st.session_state:
        answered = [st.session_state.get(f"lesson.{step.key}") is not None for step in STEPS]
        st.session_state["lesson.first"] = [*answered, False].index(False) % len(STEPS) + 1
    first: int = st.session_state["lesson.first"]
    return first


def _onward(number: int) -> None:
    """Draw links to the previous and to the next step, for phones, which show one step at a time."""
    names = [f"{k}. {step.title}" for k, step in enumerate(STEPS, start=1)] + [T("onward.title")]
    near = {"back": number - 1, "next": number + 1}
    links = "".join(
        f'<a href="#step-{place}">{T(word, step=names[place - 1])}</a>'
        for word, place in near.items()
        if 1 <= place <= len(names)
    )
    st.html(f'<p class="dp-onward">{links}</p>')


def _step(step: Step, number: int, seen: tuple[str, ...]) -> None:
    st.header(f"{number}. {step.title}", anchor=f"step-{number}")
    _say(step.text, f"text-{step.key}", seen)
    name = f"lesson_{step.key}"
    component.show(component.with_user_values(FIGURES[step.key](), key=name), key=name)
    answer = st.radio(
        step.question,
        step.options,
        index=None,
        key=f"lesson.{step.key}",
        persist_state="session",
    )
    if answer is None:
        st.caption(T("answer_first"))
        return
    place = step.options.index(answer)
    if st.query_params.get(step.key) != str(place):
        st.query_params[step.key] = str(place)
    with st.container(border=True, key=f"reveal-{step.key}"):
        reply = T("right" if place == step.right else "wrong", reveal=step.reveal)
        _say(reply, f"reveal-{step.key}", (*seen, *glossary.marked(step.text)))


def _say(text: str, prefix: str, seen: tuple[str, ...]) -> None:
    """Display paragraphs of text, and explain each glossary word where it occurs first.

    Words in ``seen`` have been explained already, and are not explained again.
    """
    marked = glossary.first_marks(text, seen).split("\n\n")
    st.html(
        "".join(
            f'<p class="dp-prose">{glossary.to_html(part, prefix=f"{prefix}-{k}")}</p>'
            for k, part in enumerate(marked)
        )
    )


def _goodbye() -> None:
    st.header(T("onward.title"), anchor=f"step-{len(STEPS) + 1}")
    st.markdown(T("onward.text"))
    for key in _ONWARD:
        shell.page_link(key, T(f"onward.pages.{key}"), icon="➡️")
