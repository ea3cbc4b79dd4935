"""Where others stand: every row is drawn with its period and its source, and nothing is ranked."""

import html
import re

from dpcore.experiments.choose.releases import deployments
from pages.choose.others import table


def test_every_row_is_drawn_with_value_period_and_source():
    text = table(1.0)
    rows = [html.unescape(row) for row in re.findall(r"<tr><td>.*?</tr>", text)]
    assert len(rows) == len(deployments()) == text.count('class="dp-strip"')
    for one in deployments():
        row = next(row for row in rows if row.startswith(f"<tr><td>{one.name}, {one.year}"))
        assert f"Source: {one.source}" in row
        assert f", {one.period}" in row
        assert ("ρ = " in row) == (one.measure == "rho")
        assert f'class="dp-mark-{one.measure}"' in row


def test_the_readers_epsilon_stands_in_every_row_at_its_place():
    places = [
        set(re.findall(r'class="dp-here" style="left:([\d.]+)px"', table(e)))
        for e in (0.1, 1.0, 100.0)
    ]
    assert places == [{"8.0"}, {"89.3"}, {"252.0"}]


def test_nothing_is_drawn_that_a_page_of_streamlit_leaves_out():
    """`st.html` cleans what it shows: an svg is gone without a word."""
    assert "<svg" not in table(1.0)
