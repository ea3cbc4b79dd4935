"""The lecturer's guide and the map of the documents: every link opens, no section and no formula lacks a place."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from dpcore.experiments.formulas import DOCUMENTS, VERDICTS, entries
from pages import PAGES, specs
from pages.__main__ import _COMMANDS as commands
from pages.handout import titles
from tests.pages import visits
from ui.embed.lesson import check, read
from ui.exercises.files import load_all, load_all_paths
from ui.frame.page_spec import PageSpec
from ui.jobs.reports import Snapshot
from ui.live.depth import Depth
from ui.runner.session import Session

ROOT = Path(__file__).resolve().parent.parent
DOCS, FORMULAS = ROOT / "docs", ROOT / "assets" / "formulas"
GUIDE = (DOCS / "guide" / "lecturers.md").read_text("utf-8")
COVERAGE = (DOCS / "coverage.md").read_text("utf-8")
SPECS = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}
KNOWN = (
    "lesson mechanisms queries network budget descent relevance matrix regression autoencoder kahm choose audit "
    "exercises formulas"
)
LINK = rf"`((?:{'|'.join(KNOWN.split())})(?:\?[^`]*)?)`"
LINKS = sorted(set(re.findall(LINK, GUIDE + COVERAGE)))
FINE = "is not to be had|more than your budget"  # data that this machine lacks, and an answer
SECTION = r"section \*(.+?)\*"
WITHOUT = ("not yet", "cannot be")  # why a part of a document has no link
SECTIONS = {
    "Brinkrolf": ("1 Introduction", "2 Differential Privacy", "3 Differential Private G(M)LVQ", "4 Experiments",
                  "5 Conclusions"),
    "Kumar": ("1 Introduction", "2 Notations", "3 Kernel Affine Hull Machines", "3.1 Kernel Regularized"),
    "Jain": ("Introduction", "Related Work", "Related Theory", "Methodology", "Dataset used",
             "Results and Discussion", "Conclusion"),
    "Sarkar": ("Recap", "other than one person", "How much noise", "Laplace mechanism", "Privacy and utility",
               "Examples", "Utility of Laplace", "Local differential privacy", "Approximate differential privacy",
               "Gaussian mechanism", "Composition", "Repeated computation", "k repetitions", "post processing",
               "Notes on differential privacy", "multi-dimensional", "L_p norms", "L_1 and L_2", "Which is better",
               "Perturbation mechanisms", "DP for machine learning", "empirical risk", "output perturbation",
               "Non-convex", "DP-SGD", "Amplification", "DP machine learning", "Non-numerical", "Sensitivity of s",
               "Exponential mechanism", "Theorem"),
    "Jiang": ("1 Introduction", "2 Related Work", "3 My Work", "4 Result"),
}  # fmt: skip


def rows_of(author):
    """The rows of a document in the map: part, where, words."""
    (part,) = [text for text in COVERAGE.split("\n## ") if text.startswith(author)]
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    return [row for row in rows if row[0] not in ("part", "printed formula or claim")]


def told_of(page):
    """The rows of the map that lead to one page alone: their links, and what they say is seen."""
    rows = [row for author in SECTIONS for row in rows_of(author) if len(row) == 3]
    found = [(re.findall(LINK, " ".join(row[1:])), row[2]) for row in rows]
    return [(where, words) for where, words in found
            if {link.partition("?")[0] for link in where} == {page}]  # fmt: skip


def test_the_documents_have_many_links():
    assert len(re.findall(LINK, GUIDE)) > 10
    assert len(LINKS) > 100


@pytest.mark.parametrize("page", sorted({link.partition("?")[0] for link in LINKS}))
def test_every_link_opens(page):
    if page not in PAGES:
        return  # this copy has no such page
    for link in [link for link in LINKS if link.partition("?")[0] == page]:
        asked = dict(parse_qsl(link.partition("?")[2], strict_parsing="?" in link))
        if page == "exercises":
            known, name = (
                (titles(), "exercise") if "exercise" in asked else (load_all_paths(), "path")
            )
            assert asked.keys() == {name}, link
            assert asked[name] in known, link
        elif page == "formulas":
            assert asked["document"] in DOCUMENTS, link
            assert asked["verdict"] in ("any", *VERDICTS), link
        elif page in SPECS:
            Depth.from_link(asked.pop("depth", "look"))
            assert SPECS[page].params.from_link(asked)[1] == [], link
            assert set(asked) <= set(SPECS[page].params.controls()), link
        else:
            assert asked == {}, link


@pytest.mark.parametrize("place", range(len(SECTIONS)))
def test_every_exercise_is_linked_with_the_document_that_it_is_about(place):
    rows = " ".join(" ".join(row) for row in rows_of([*SECTIONS][place]))
    for key, exercise in load_all().items():
        if exercise.documents[:1] == (place,):
            assert f"`exercises?exercise={key}`" in rows, key


def read_data_alone(monkeypatch):
    """Begin nothing slow: of a page's work only its data set is read, as its words stand under it."""
    poll, data = (
        Session.poll,
        {spec.pipeline.data.name for spec in SPECS.values() if spec.pipeline.data},
    )

    def only_data(session, name, jobs, key, work, wait):
        return poll(session, name, jobs, key, work, 60.0) if name in data else Snapshot()

    monkeypatch.setattr(Session, "poll", only_data)


@pytest.mark.parametrize("page", sorted({link.partition("?")[0] for link in LINKS} & {*SPECS}))
def test_every_link_draws_its_page_and_the_tabs_that_are_named(page, monkeypatch):
    read_data_alone(monkeypatch)
    tabs, sections = {}, {}
    for link in [link for link in LINKS if link.partition("?")[0] == page]:
        found = visits.app(page, **dict(parse_qsl(link.partition("?")[2])))
        assert not found.exception, link
        said = [item.value for item in found.warning if not re.search(FINE, item.value)]
        assert said == [], link
        drawn = visits.data(found)
        assert drawn["name"] == page, link
        tabs[link] = {panel["tab"] for panel in drawn["panels"] if panel.get("tab")}
        sections[link] = titles_of(found)
    for where, words in told_of(page):
        shown = set().union(*(tabs[link] for link in where))
        assert set(re.findall(r"tab \*(.+?)\*", words)) <= shown, words
        for name in re.findall(SECTION, words):
            assert any(name in title for link in where for title in sections[link]), name


def titles_of(found):
    """What the sections of a page are called, open or closed."""
    return {item.label for item in found.expander}


def shared_rows():
    """Rows that lead to several pages and name a tab or a section: their links, and the words."""
    rows = [row for author in SECTIONS for row in rows_of(author) if len(row) == 3]
    found = [(re.findall(LINK, " ".join(row[1:])), row[2]) for row in rows]
    named = [(where, words) for where, words in found if re.search(r"(tab|section) \*", words)]
    return [one for one in named if len({link.partition("?")[0] for link in one[0]}) > 1]


def test_rows_with_several_pages_are_looked_at_too():
    assert len(shared_rows()) >= 3


@pytest.mark.parametrize(("where", "words"), shared_rows())
def test_a_row_with_several_pages_has_the_tabs_that_it_names(where, words, monkeypatch):
    read_data_alone(monkeypatch)
    tabs, sections = {}, {}
    for link in where:
        page = link.partition("?")[0]
        if page not in SPECS:
            continue
        found = visits.app(page, **dict(parse_qsl(link.partition("?")[2])))
        assert not found.exception, link
        shown = {panel["tab"] for panel in visits.data(found)["panels"] if panel.get("tab")}
        tabs[SPECS[page].title] = shown
        sections[link] = titles_of(found)
    for name in re.findall(SECTION, words):
        for link, titles_here in sections.items():
            assert any(name in title for title in titles_here), (name, link)
    for title, name in re.findall(r"(?:\*([^*]+)\*, )?tab \*(.+?)\*", words):
        holders = (
            [title] if title else [*tabs]
        )  # a tab is of every page of its row, unless its page is named
        here = [holder for holder in holders if holder in tabs]
        assert here == holders or len(tabs) < len(where), f"{title} is no page of this row"
        assert all(name in tabs[holder] for holder in here), (name, where)


@pytest.mark.parametrize("author", SECTIONS)
def test_every_part_of_a_document_has_its_place_or_the_reason(author):
    rows = rows_of(author)
    parts = "\n".join(row[0] for row in rows)
    for section in SECTIONS[author]:
        assert section in parts, section
    for part, where, *_ in rows:
        told = re.search(LINK, where) or "](" in where or where.startswith(WITHOUT)
        assert told, f"{part} has neither a link nor a reason: {where}"


def test_every_printed_formula_has_its_place():
    for number, author in zip(DOCUMENTS, SECTIONS, strict=True):
        rows = {part.partition(" ")[0]: where for part, where, *_ in rows_of(author)}
        found = {name: where for name, where in rows.items() if name.startswith(f"{number}.")}
        known = [entry for entry in entries(FORMULAS) if entry.id.partition(".")[0] == number]
        assert list(found) == [entry.id for entry in known]
        for entry in known:
            assert re.fullmatch(LINK, found[entry.id]), entry.id


def test_the_lesson_in_the_guide_can_be_used():
    (text,) = re.findall(r"```yaml\n(.*?)```", GUIDE, re.S)
    lesson = read(text)
    assert len(lesson.parts) == 2
    if {part.page for part in lesson.parts} <= set(SPECS):
        assert check(lesson, SPECS, tuple(titles())) == []


def test_commands_that_the_guide_and_teach_name_exist_under_both_names():
    teach = (ROOT / "pages" / "teach" / "text.toml").read_text("utf-8")
    named = re.findall(r"(dp-explorer|python -m pages) ([a-z]+) lesson\.yaml", GUIDE + teach)
    assert {name for name, _ in named} == {"dp-explorer", "python -m pages"}
    assert {command for _, command in named} <= set(commands)
