"""No six lines stand in two pages: what two of them need belongs to the kit."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LENGTH = 6


def told(text):
    """The lines of a module that say something: neither imports nor brackets."""
    found, in_import = [], False
    for line in map(str.strip, text.splitlines()):
        if in_import:
            in_import = line != ")"
        elif re.match(r"(from|import) ", line):
            in_import = line.endswith("(")
        elif re.search(r"\w", line) and line not in ("else:", "try:"):
            found.append(line)
    return found


def repeated(modules):
    """Runs of lines that stand in the modules of more than one page, by their first line."""
    places = defaultdict(set)
    for page, text in modules:
        lines = told(text)
        for start in range(len(lines) - LENGTH + 1):
            places[tuple(lines[start : start + LENGTH])].add(page)
    return [lines[0] for lines, pages in places.items() if len(pages) > 1]


def test_the_search_finds_a_copy():
    body = "\n".join(f"value_{k} = {k}" for k in range(6))
    assert repeated([("a", body), ("b", f"import math\n\n{body}\n")]) == ["value_0 = 0"]
    assert repeated([("a", body), ("a", body)]) == []
    assert repeated([("a", body), ("b", body.replace("5", "6"))]) == []


def test_no_six_lines_stand_in_two_pages():
    files = sorted((ROOT / "pages").glob("*/*.py"))
    assert len(files) > 20
    assert repeated((path.parent.name, path.read_text()) for path in files) == []
