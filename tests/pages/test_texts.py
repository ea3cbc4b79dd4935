"""Pages take their prose from ``text.toml``: each sentence is used, each template fills at the ends of its fields."""

import ast
import functools
import math
import re
from pathlib import Path

import pytest

from pages import PAGES
from ui.words.text import FIELD, IN_BROWSER, load_text

ROOT = Path(__file__).resolve().parents[2]
SHARED = {f"ui/{file.parent.name}": file.parent for file in (ROOT / "ui").glob("*/text.toml")}
FOLDERS = {key: ROOT / "pages" / key for key in PAGES} | SHARED
WRITTEN = [key for key, folder in FOLDERS.items() if (folder / "text.toml").exists()]
NUMBERS = (0.0, 1.0, 2.0, 1e-12, 0.5, 0.999999, 12345.678, 1e9, -0.25, math.inf, math.nan)
COUNTS = (0, 1, 2, 999, 10_000, 1_000_000)
_ANY = "\0"  # stands in a pattern for what an f-string fills in


def calls(page):
    """Every call ``T(...)`` of a page: the patterns its path may follow, and the names of the fields given."""
    for path in sorted(FOLDERS[page].rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "T"
            ):
                fields = {word.arg for word in node.keywords}
                for pattern in patterns(node.args[0]):
                    yield path.name, pattern, fields


def lists(page):
    """The patterns that the lines of ``T.lines(...)`` follow, and the sentences of ``T.group(...)``."""
    for path in sorted(FOLDERS[page].rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("T.lines", "T.group"):
                yield from (f"{pattern}.{_ANY}" for pattern in patterns(node.args[0]))


def patterns(node):
    if isinstance(node, ast.IfExp):
        return patterns(node.body) + patterns(node.orelse)
    if isinstance(node, ast.Constant):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [
            "".join(
                str(part.value) if isinstance(part, ast.Constant) else _ANY for part in node.values
            )
        ]
    return [_ANY]


def matcher(pattern):
    return re.compile(re.escape(pattern).replace(re.escape(_ANY), r".*"))


def constants(page):
    """All strings of a page's modules: keys of panels, names of variants and of groups."""
    return {
        node.value
        for path in FOLDERS[page].rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@functools.cache
def groups():
    """The keys of all groups of controls: what calls of ``grouped(...)`` name first."""
    trees = [
        ast.parse(path.read_text("utf-8"))
        for top in ("pages", "ui")
        for path in (ROOT / top).rglob("*.py")
    ]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {node.args[0].value for node in calls if ast.unparse(node.func) == "grouped"}


def is_used(path, page, known, called):
    if path in known or any(matcher(pattern).fullmatch(path) for pattern in called):
        return True
    section, _, rest = path.partition(".")
    if section == "fields":
        return True  # the page's controls name each parameter; `test_fields_are_parameters` asks the rest
    if section == "groups":
        return rest in groups()  # a page's own, or those that pages share
    if section in ("panels", "readouts") and rest.partition(".")[0] in known:
        part = rest.partition(".")[2].partition(".")[0]
        name, _, variant = part.partition("_")
        words = (
            "title",
            "caption",
            "alt",
            "tab",
            "x",
            "y",
            "rows",
            "captions",
            "label",
            "note",
            "help",
            "alone",
            "brief",
        )
        return name in words and (not variant or variant in known)
    parents = path.split(".")
    return any(".".join(parents[:k]) in known for k in range(1, len(parents)))


@pytest.mark.parametrize("page", WRITTEN)
def test_every_path_that_a_page_asks_for_is_there_with_its_fields(page):
    templates = dict(load_text(str(FOLDERS[page] / "page.py")).templates())
    for file, pattern, fields in calls(page):
        meant = [path for path in templates if matcher(pattern).fullmatch(path)]
        assert meant, (file, pattern, "has no sentence")
        if pattern == _ANY or None in fields:
            continue
        for path in meant:
            wanted = {found[1] for found in FIELD.finditer(templates[path])}
            if path.split(".")[0] in IN_BROWSER:
                assert fields <= wanted or len(meant) > 1, (file, path, fields - wanted)
            elif len(meant) == 1:
                assert fields == wanted, (file, path, fields ^ wanted)


@pytest.mark.parametrize("page", WRITTEN)
def test_no_sentence_is_left_that_nobody_reads(page):
    text, known = load_text(str(FOLDERS[page] / "page.py")), constants(page)
    called = [pattern for _, pattern, _ in calls(page) if pattern != _ANY] + [*lists(page)]
    assert [path for path, _ in text.templates() if not is_used(path, page, known, called)] == []


def ends(code):
    """Values at the ends of what a field may hold."""
    if code is None:
        return ("ε = 1", "", "a" * 200)
    return COUNTS if code.startswith(("count ", "about ")) else NUMBERS


@pytest.mark.parametrize("page", WRITTEN)
def test_every_template_fills_at_the_ends_of_its_fields(page):
    text = load_text(str(FOLDERS[page] / "page.py"))
    for path, template in text.templates():
        codes = {found[1]: found[2] for found in FIELD.finditer(template)}
        if path.split(".")[0] in IN_BROWSER:
            codes = {name: code for name, code in codes.items() if code is not None}
        if re.search(r"\.\d+$", path):
            assert not codes, (path, "a line of a list has no fields")
            continue
        for turn in range(max((len(ends(code)) for code in codes.values()), default=1)):
            given = {name: ends(code)[turn % len(ends(code))] for name, code in codes.items()}
            said = text(path, **given)
            assert not re.search(
                r"(?<![\d\u202f.])1 (?:answer|record|person|people|row|step|picture)s\b", said
            ), said
            assert "nan" not in said
            if path.split(".")[0] not in IN_BROWSER:
                assert not FIELD.search(said), said


def test_the_checks_can_find_something():
    node = ast.parse('T("a.b" if x else f"c.{y}", n=1)').body[0].value
    assert patterns(node.args[0]) == ["a.b", f"c.{_ANY}"]
    assert matcher(f"c.{_ANY}").fullmatch("c.d.e")
    assert not is_used("words.dead", "descent", {"words.alive"}, ["meaning.now"])
    assert is_used("panels.worlds.caption_one", "descent", {"worlds", "one"}, [])
    assert not is_used("panels.worlds.caption_one", "descent", {"worlds"}, [])
