"""The command that writes the static site: its files, its links, what a second run does, and what it refuses."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import pages.site
from pages import PAGES, specs
from pages.__main__ import main
from ui.frame.lattice import Lattice
from ui.static_site.files import SiteFolder
from ui.static_site.states import PreparedPage

KEYS = [key for key in ("mechanisms", "regression") if key in PAGES]
SMALL = {
    "mechanisms": Lattice(values={"noise": ("laplace", "gaussian"), "seed": (0, 1)}, megabytes=1),
    "regression": Lattice(without=("comparison", "neighbouring_runs", "objective"), megabytes=1),
}

pytestmark = pytest.mark.skipif(len(KEYS) < 2, reason="this copy lacks a page")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Pages with few prepared states."""
    entries = [replace(one, site=SMALL[one.key]) if one.key in SMALL else one for one in specs()]
    monkeypatch.setattr(pages.site, "specs", lambda: entries)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("site")


def write(root, *more):
    return main(["site", str(root), "--pages", ",".join(KEYS), *more])


def state_of_a_page(root):
    (page, *_) = pages.site.prepared_pages(pages.site.on_site(KEYS)[0])
    return pages.site.file_of(page, page.states[0], SiteFolder(root, pages.site.code()))


class Read(HTMLParser):
    """What a page refers to, and what a strict policy forbids."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names, self.forbidden, self.policy = [], set(), [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.links += [known[name] for name in ("href", "src") if name in known]
        self.names |= {known["id"]} if "id" in known else set()
        if known.get("http-equiv") == "Content-Security-Policy":
            self.policy = known["content"]
        inline = tag == "script" and "src" not in known and known.get("type") != "application/json"
        if (
            inline
            or tag == "style"
            or any(name == "style" or name.startswith("on") for name in known)
        ):
            self.forbidden.append((tag, known))


def test_the_site_is_whole(root, capsys):
    assert write(root, "--base", "https://dp.example.org/a/") == 0
    assert "These pages need the app" in capsys.readouterr().out
    report = json.loads((root / "report.json").read_text())
    assert report["states"] == sum(page["states"] for page in report["pages"].values())
    assert report["pages"]["mechanisms.html"]["states"] == 2  # the noise is no control at Look
    assert report["pages"]["mechanisms.understand.html"]["states"] == 4
    assert report["pages"]["regression.html"]["states"] == 1
    for file in root.glob("*.html"):
        read = Read(file.read_text("utf-8"))
        assert "unsafe" not in read.policy
        assert "default-src 'none'" in read.policy
        assert read.forbidden == [], file
        for link in read.links:
            if link.startswith("https://dp.example.org/a/"):
                assert link.rpartition("/")[2] == file.name
            elif not link.startswith("./?"):  # the glossary
                assert (root / link).is_file(), (file, link)
    assert "noise" in Read((root / "index.html").read_text("utf-8")).names


def test_first_figures_are_light_and_pages_keep_their_budgets(root):
    report = json.loads((root / "report.json").read_text())
    assert report["over_budget"] == []
    for page in report["pages"].values():
        assert 20 < page["first_figure_kilobytes"] < 300
    assert report["megabytes"] == pytest.approx(
        sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) / 1e6, abs=0.01
    )


def test_a_second_run_computes_only_what_is_missing(root, monkeypatch, capsys):
    def forbidden(*_):
        raise ValueError("nothing is to be computed")

    before = {path: path.read_bytes() for path in root.rglob("*.packed")}
    with monkeypatch.context() as patch:
        patch.setattr(PreparedPage, "computed", forbidden)
        assert write(root) == 0
        assert {path: path.read_bytes() for path in root.rglob("*.packed")} == before
        lost = root / state_of_a_page(
            root
        )  # not one of Home's miniatures, which are no prepared pages
        lost.write_bytes(lost.read_bytes()[:20])  # as after a crash of the machine
        assert write(root) == 1
        assert "nothing is to be computed" in capsys.readouterr().err
    assert write(root) == 0
    assert {path: path.read_bytes() for path in root.rglob("*.packed")} == before


def test_files_that_no_page_needs_are_removed(root):
    (root / "arrays" / "old.packed").write_bytes(b"")
    (root / "mine.txt").write_text("kept")
    assert write(root) == 0
    assert not (root / "arrays" / "old.packed").exists()
    assert (root / "mine.txt").read_text() == "kept"


def test_a_page_over_its_budget_is_named(root, monkeypatch, capsys):
    entries = [
        replace(one, site=replace(SMALL[one.key], megabytes=0.001)) if one.key in SMALL else one
        for one in specs()
    ]
    monkeypatch.setattr(pages.site, "specs", lambda: entries)
    assert write(root, "--json") == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["over_budget"] == KEYS


def test_a_run_that_is_interrupted_says_so(root, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(pages.site, "compute", interrupted)
    assert write(root) == 130
    assert "goes on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--pages", "nowhere"], "there is no such page"),
        (["--jobs", "0"], "from 1 on"),
        (["--base", "ftp://x"], "give an address like https"),
        (["--data", "/nowhere/at/all"], "there is no such folder"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, capsys, more, said):
    assert main(["site", str(tmp_path / "out"), *more]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_one_folder_has_one_writer(tmp_path, capsys):
    from dpcore.file_lock import try_lock

    with (tmp_path / ".site.lock").open("a") as held:
        assert try_lock(held)
        assert main(["site", str(tmp_path)]) == 2
    assert "Another process" in capsys.readouterr().err


def test_other_code_gives_other_files(tmp_path):
    names = {SiteFolder(tmp_path, code).name_of("page", key) for code in "ab" for key in "xy"}
    assert len(names) == 4
