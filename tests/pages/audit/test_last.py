"""The table of the last full audit stands in one file; docs/audit.md and the page repeat it."""

import csv
from pathlib import Path

import pytest

from dpcore.__main__ import main
from dpcore.audit.findings import COLUMNS
from dpcore.audit.registry import all_worlds
from pages.audit import last

ROOT = Path(__file__).resolve().parents[3]


def test_the_file_has_a_row_for_every_claim_of_the_registry():
    assert tuple(last.rows()[0]) == COLUMNS
    assert [row["name"] for row in last.rows()] == [worlds.name for worlds in all_worlds()]


def test_no_proof_is_broken():
    assert {row["verdict"] for row in last.rows()} == {"holds"}


def test_what_is_claimed_there_is_what_is_claimed_today():
    for row, worlds in zip(last.rows(), all_worlds(), strict=True):
        claim = worlds.claim()
        assert (
            float(row["claimed"]) == float(f"{claim.epsilon:.4g}")
            or abs(float(row["claimed"]) - claim.epsilon) < 1e-3 * claim.epsilon
        )


def test_strict_is_judged_over_all_claims_of_today(tmp_path):
    judged = tmp_path / "judged.csv"
    assert main(["audit", "--judge", str(last.FILE), "--out", str(judged)]) == 0
    with judged.open(encoding="utf-8", newline="") as file:
        for row, stored in zip(csv.DictReader(file), last.rows(), strict=True):
            assert float(row["strict"]) == pytest.approx(float(stored["strict"]), abs=1e-9)
            assert row["verdict"] == stored["verdict"]


def test_the_document_has_the_rows_of_the_file():
    text = (ROOT / "docs" / "audit.md").read_text("utf-8")
    told = [
        line for line in text[text.index("## Last full table") :].splitlines() if line[:2] == "| "
    ]
    assert told[1:] == last.lines()


def test_the_page_shows_every_row():
    assert all(f"| {row['name']} |" in last.table() for row in last.rows())
