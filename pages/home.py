"""Home: what does privacy cost, and what does it buy?"""

from pathlib import Path

import streamlit as st

from ui import house
from ui.views import cards, home

house.enter()
house.header("DP Explorer", "What does privacy cost, and what does it buy?")
left, right = st.columns([1, 1.5], gap="large")
with left:
    st.markdown(home.WHAT)
    st.page_link("pages/relevance.py", label="Open relevance learning", icon="➡️")
with right:
    home.miniature()
st.markdown("### The pages")
cards.draw()
st.markdown("### How to read a page in 60 seconds")
for column, (title, words) in zip(st.columns(4), home.STEPS, strict=True):
    column.markdown(f"**{title}**  \n{words}")
st.markdown("### Pictures to start a lecture with")
columns = st.columns(3)
for k, (page, label, link, words) in enumerate(home.TOUR):
    columns[k % 3].page_link(f"pages/{page}.py", label=label, query_params=link)
    columns[k % 3].caption(words)
st.markdown("### Every symbol")
st.markdown(Path("assets/texts/glossary.md").read_text("utf-8"))
st.caption(home.SOURCES)
