"""The README's own program runs as it stands there."""

import re
from pathlib import Path

from dpcore.experiments.formulas import counts
from pages import specs

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
FORMULAS = ROOT / "assets" / "formulas"


def test_the_example_runs_and_prints_what_it_says(capsys):
    (program,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    exec(compile(program, "README.md", "exec"), {})
    accuracy, epsilon, sigma = capsys.readouterr().out.split(", ")
    assert float(accuracy) > 0.8
    assert (float(epsilon), float(sigma)) == (2.5, 1.591)


def test_the_table_of_pages_has_every_page_with_its_question():
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", README.read_text(), re.M)[1:]
    pages = {spec.title: spec.question for spec in specs()}
    rows = [(title, text) for title, text in rows if title in pages]  # others may have gone
    wanted = [f"| {title} | {question} |" for title, question in pages.items()]
    lacking = [row for row in wanted if row.split(" | ")[0][2:] not in dict(rows)]
    assert not lacking, "README.md's table of pages lacks " + " and ".join(lacking)
    assert [title for title, _ in rows] == list(pages), (
        "the rows are in the order of the navigation"
    )
    for title, text in rows:
        assert text.startswith(pages[title]), f"the row begins | {title} | {pages[title]}"


def test_the_counts_of_formulas_are_those_of_the_entries():
    ((all_of_them, wrong),) = re.findall(
        r"(\d+) formulas and claims of the five documents.*?\((\d+) wrong\)",
        README.read_text("utf-8"),
    )
    assert (int(all_of_them), int(wrong)) == (
        sum(counts(FORMULAS).values()),
        counts(FORMULAS)["wrong"],
    )
