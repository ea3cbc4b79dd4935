"""CSV files to take along: nothing in them is a formula."""

import csv
import io

import pandas as pd
import pytest

from ui.export.downloads import _csv
from ui.export.safe_csv import csv_text


@pytest.mark.parametrize(
    ("evil", "plain"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1+cmd", "'+1+cmd"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", " '=1"),
        ("x\r=1", "x =1"),
        ("x\n=1", "x =1"),
        ("  =1", "  '=1"),
        ("x;\t=cmd|1", "x; '=cmd|1"),
        ("\u200b=1+cmd", "\u200b'=1+cmd"),
        ("\ufeff\u00a0\u2060=1", "\ufeff\u00a0\u2060'=1"),
        ("\u00ad\ufe0f\u3164\x00=1", "\u00ad\ufe0f\u3164\x00'=1"),
        ("＝cmd", "'＝cmd"),
        ("＋1+cmd", "'＋1+cmd"),
        ("－2+3", "'－2+3"),
        ("＠SUM(A1)", "'＠SUM(A1)"),
        ("﹦1", "'﹦1"),
        ("x\u2028=1", "x =1"),
        ("x;\u200b＝1", "x;\u200b'＝1"),
        ("a=b; c-d", "a=b; c-d"),
    ],
)
def test_names_and_cells_that_begin_a_formula_are_taken_for_text(evil, plain):
    frame = pd.DataFrame({evil: [evil, "fine"], "n": [-1.5, 2.0]})
    for text in (csv_text(frame), _csv(lambda: frame)):
        head, first, second = csv.reader(io.StringIO(text, newline=""))
        assert head == [plain, "n"]
        assert first == [plain, "-1.5"]
        assert second == ["fine", "2.0"]


def test_numbers_stay_numbers_also_where_they_are_written_as_text():
    frame = pd.DataFrame({"a": ["-1.5", None], -1: [True, False]})
    assert csv_text(frame) == "a,-1\n-1.5,True\n,False\n"


def test_every_csv_a_page_offers_goes_this_way():
    import re
    from pathlib import Path

    root = Path(__file__).resolve().parents[3]
    used = [
        path.name
        for folder in ("ui", "pages")
        for path in (root / folder).rglob("*.py")
        if re.search(r"\.to_csv\(", path.read_text())
    ]
    assert used == ["safe_csv.py"]
