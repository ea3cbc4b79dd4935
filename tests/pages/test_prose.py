"""Sentences that a visitor can read stand in ``text.toml``: no Python of the application holds one of its own."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = {
    "pages/commands/": "printed by the commands of whoever runs the server",
    "ui/live/describe.py": "writes the documentation and the types of the layers",
    "ui/live/layers.py": "the shapes of arrays, for that documentation",
    "ui/runner/preparation.py": "printed by the command that prepares results",
    "ui/server/cache_warmup.py": "written into the server's log",
}
"""Modules whose sentences visitors do not see: the beginning of the path -> where the sentences are read."""
PROGRAMS = ("program.py", "programs/")
"""Programs that readers download; they are files of their own and print text."""
FOR_PROGRAMMERS = (
    "AssertionError",
    "KeyError",
    "LookupError",
    "NotImplementedError",
    "RuntimeError",
    "TypeError",
    "ValueError",
)
"""Exceptions whose messages address the programmer who calls a function."""
FEWEST = 5
"""Smallest number of words in a sentence; names of keys, files and styles may have fewer."""
_EXPRESSION = re.compile(r"\{[^{}]*\}")
_PROGRAM = re.compile(r"\s*(?:from [\w.{}]+ import |import |export |python -m )")
_CODE = re.compile(
    r"<style>.*?(?:</style>|$)|<script\b.*?(?:</script>|$)|[^<>]*\{[^{}]*:[^{}]*;[^{}]*\}",
    re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>|^[^<]*=\"[^<]*>|<[^>]*$")
_FORMULA = re.compile(r"\\(?:text|mathrm|operatorname\*?)\{[^{}]*\}|\\[A-Za-z]+")
_WORD = re.compile(r"[^\w\s]*([A-Za-zÀ-ž]{2,}(?:['’-][A-Za-z]+)*)[^\w\s]*")
_JOINING = re.compile(
    r"\b(?:an?|and|are|as|at|be|by|can|does|for|from|has|have|how|if|in|is|its?|may|must|not?|of|on|one|or|so|than"
    r"|that|the|them|there|they|this|to|was|what|when|where|which|who|will|with|you|your)\b",
    re.IGNORECASE,
)
"""Words that join others: code, styles and names of keys do without them."""


def modules():
    """The modules of the application, by their path."""
    for folder in ("pages", "ui"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not any(name.endswith(end) or f"/{end}" in name for end in PROGRAMS):
                yield name, path


def is_prose(text):
    """Whether a string holds a sentence, beside markup, styles and formulas; a program is none."""
    if _PROGRAM.match(text):
        return False
    for pattern in (_CODE, _TAG, _FORMULA, _EXPRESSION):
        text = pattern.sub(" ", text)
    words = [found[1] for found in map(_WORD.fullmatch, text.split()) if found]
    return len(words) >= FEWEST and bool(_JOINING.search(" ".join(words)))


def unread(tree):
    """The parts of a module that nobody reads: docstrings, and the messages for programmers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        thrown = node.exc if isinstance(node, ast.Raise) else None
        if isinstance(thrown, ast.Call) and ast.unparse(thrown.func) in FOR_PROGRAMMERS:
            yield from ast.walk(thrown)


def whole(node):
    """An f-string as one string, with ``{}`` for each of its values."""
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)


def strings(tree):
    """Every string of a module that somebody may read, with its line."""
    left_out = {id(node) for node in unread(tree)}
    formatted = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    left_out |= {
        id(part) for node in formatted for part in node.values if isinstance(part, ast.Constant)
    }
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, whole(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def sentences(tree):
    return [(line, text) for line, text in strings(tree) if is_prose(text)]


def is_allowed(name):
    return any(name.startswith(allowed) for allowed in ALLOWED) or is_all_of_a_page(ROOT / name)


def is_all_of_a_page(path):
    """Whether a page is this one module, as in CONTRIBUTING: a larger one has its prose in ``text.toml``."""
    others = {file.name for file in path.parent.glob("*.*")} - {"__init__.py"}
    return path.parents[1] == ROOT / "pages" and others == {"page.py"}


def test_no_module_holds_a_sentence_that_a_visitor_can_read():
    found = [
        f"{name}:{line}: {text[:80]!r}"
        for name, path in modules()
        if not is_allowed(name)
        for line, text in sentences(ast.parse(path.read_text("utf-8")))
    ]
    assert found == [], "move these into the text.toml beside them, and read them with T(path)"


@pytest.mark.parametrize("allowed", ALLOWED)
def test_a_module_that_may_hold_sentences_holds_some(allowed):
    assert any(
        sentences(ast.parse(path.read_text("utf-8")))
        for name, path in modules()
        if name.startswith(allowed)
    )


SAID = (
    'st.caption("The answers come with the curves.")',
    'st.caption(f"First answers, from {n} of the {m} tries so far")',
    'label = "How much is " "too much of it?"',
    "st.html(f\"<p class='x'>The link is {link} of this page</p>\")",
    "raise DataError('No column to predict is chosen: choose one.')",
    'T("words.one") + " and this is what it costs"',
    'st.latex(r"\\varepsilon = 1, and this is what it costs")',
)
UNSAID = (
    '"""Return what this is of the other one."""',
    "def f():\n    '''Return what this is of the other one.'''",
    "raise ValueError('this is not what a page may ask for')",
    "CSS = '<style>.a {color: red;} .b .c .d .e, and .f {margin: 0;}</style>'",
    "CSS = 'body { margin: 0; } h1 { font-size: 1rem; } a { color: red; }'",
    'html = f\'<p class="a b c d is" id="the one" style="of: all">{words}</p>\'',
    "T('words.cost', n=3)",
    "code = 'from a import b, c\\nfrom d import e\\n\\nf = b.run(c, is_one=e)'",
    "st.latex(r'\\text{right guesses in all of the cases} \\le \\frac{e^\\varepsilon}{2}')",
)


def test_a_page_of_one_module_holds_its_own_words(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    page = tmp_path / "pages" / "example" / "page.py"
    page.parent.mkdir(parents=True)
    page.touch()
    assert is_all_of_a_page(page)
    (page.parent / "words.py").touch()
    assert not is_all_of_a_page(page)


@pytest.mark.parametrize("code", SAID)
def test_a_sentence_is_found(code):
    assert sentences(ast.parse(code))


@pytest.mark.parametrize("code", UNSAID)
def test_what_is_no_sentence_is_left(code):
    assert sentences(ast.parse(code)) == []
