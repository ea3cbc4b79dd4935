"""The lecturer's guide: every link in it opens, its plan is the page's, and each document has all its sections."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from dpcore.experiments.formulas import DOCUMENTS, VERDICTS
from pages import PAGES, specs
from pages.handout import titles
from ui.depth import Depth
from ui.embed.plan import check, read
from ui.page_spec import PageSpec

GUIDE = (Path(__file__).resolve().parent.parent / "docs" / "guide" / "lecturers.md").read_text(
    "utf-8"
)
SPECS = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}
KNOWN = (
    "lesson mechanisms budget descent relevance matrix regression autoencoder kahm choose audit exercises "
    "formulas"
)
LINKS = sorted(set(re.findall(rf"`((?:{'|'.join(KNOWN.split())})(?:\?[^`]*)?)`", GUIDE)))
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


def test_the_guide_has_many_links():
    assert len(LINKS) > 40


@pytest.mark.parametrize("page", sorted({link.partition("?")[0] for link in LINKS}))
def test_every_link_opens(page):
    if page not in PAGES:
        return  # this copy has no such page
    for link in [link for link in LINKS if link.partition("?")[0] == page]:
        asked = dict(parse_qsl(link.partition("?")[2], strict_parsing="?" in link))
        if page == "exercises":
            assert asked["exercise"] in titles(), link
        elif page == "formulas":
            assert asked["document"] in DOCUMENTS, link
            assert asked["verdict"] in ("any", *VERDICTS), link
        elif page in SPECS:
            Depth.from_link(asked.pop("depth", "look"))
            assert SPECS[page].params.from_link(asked)[1] == [], link
            assert set(asked) <= set(SPECS[page].params.controls()), link
        else:
            assert asked == {}, link


@pytest.mark.parametrize("author", SECTIONS)
def test_every_section_of_a_document_has_its_row(author):
    (part,) = [text for text in GUIDE.split("\n### ") if text.startswith(author)]
    rows = "\n".join(line for line in part.splitlines() if line.startswith("| ") and "`" in line)
    for section in SECTIONS[author]:
        assert section in rows, section


def test_the_lesson_in_the_guide_can_be_used():
    (text,) = re.findall(r"```yaml\n(.*?)```", GUIDE, re.S)
    lesson = read(text)
    assert len(lesson.parts) == 2
    if {part.page for part in lesson.parts} <= set(SPECS):
        assert check(lesson, SPECS, tuple(titles())) == []
