"""What pages begin with is one file: the same exports as the modules, each module once, in the order of imports."""

import re
import shutil
import subprocess

import pytest

from ui.web import static_files
from ui.web.js_bundle import bundle

ORDER = ["data", "draw", "labels", "controls", "frame", "live"]  # packages of assets/live
MODULES = sorted(static_files._SOURCE.rglob("*.js"))
NODE = shutil.which("node") or shutil.which("node", path=".venv/bin")


def written(folder, **modules):
    for name, text in modules.items():
        path = folder / f"{name}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder / "main.js"


def read(file):
    return file.read_bytes()


def test_each_module_is_called_once_after_what_it_imports(tmp_path):
    entry = written(
        tmp_path,
        **{
            "main": 'import { b } from "./draw/b.js";\n'
            'import {\n  c as other,\n  d,\n} from "./data/c.js";\nexport const a = b + other + d;\n',
            "draw/b": 'import { c } from "../data/c.js";\nexport const b = 10 * c;\n',
            "data/c": "let calls = 0;\nexport const c = ++calls;\nexport function d() {}\n",
        },
    )
    text = bundle(entry, read).decode()
    assert re.findall(r"^const (\$\w+)", text, re.M) == ["$0", "$1", "$2"]
    assert re.findall(r"export|const [abc]\b", text) == ["const c", "const b", "const a", "export"]
    assert "const {\n  c: other,\n  d,\n} = $0;" in text
    assert text.splitlines()[-1] == "export const { a } = $2;"
    assert "import" not in text


@pytest.mark.parametrize(
    ("modules", "said"),
    [
        ({"main": 'import { b } from "./b.js";\n', "b": 'import { a } from "./main.js";\n'}, "circle"),
        ({"main": 'import b from "./b.js";\n'}, "not joined"),
        ({"main": 'export { b } from "./b.js";\n'}, "not joined"),
        ({"main": "export default 1;\n"}, "not joined"),
    ],
)  # fmt: skip
def test_what_cannot_be_joined_is_an_error(tmp_path, modules, said):
    with pytest.raises(ValueError, match=said):
        bundle(written(tmp_path, **modules), read)


@pytest.mark.parametrize("entry", static_files.BUNDLES, ids=lambda entry: entry.name)
def test_our_modules_are_joined_and_export_the_same(entry, tmp_path):
    if NODE is None:
        pytest.skip("no node: it comes with the development requirements")
    whole = tmp_path / "whole.mjs"
    whole.write_bytes(static_files.served(entry))
    names = "(async (file) => Object.keys(await import(file)).sort().join())"
    script = f'{names}("{whole}").then(console.log)'
    told = subprocess.run([NODE, "-e", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ",".join(
        sorted(
            re.findall(
                r"^export (?:async )?(?:function|const|class) (\w+)", entry.read_text(), re.M
            )
        )
    )


def test_what_is_needed_later_is_a_bundle_beside_the_others():
    for entry in static_files.BUNDLES[:2]:
        assert b'await import("./export.js")' in static_files.served(entry)


@pytest.mark.parametrize("module", MODULES, ids=lambda file: file.stem)
def test_a_package_imports_only_those_before_it(module):
    place = ORDER.index(module.parent.name)
    for path in re.findall(r'^import [^;]* from "([^"]+)";$', module.read_text("utf-8"), re.M):
        assert ORDER.index((module.parent / path).resolve().parent.name) <= place, path


def test_every_module_is_imported_by_another():
    found = {
        (module.parent / path).resolve()
        for module in MODULES
        for path in re.findall(r'(?:from |import\()"(\.[^"]+)"', module.read_text("utf-8"))
    }
    assert set(MODULES) - found == {static_files.BUNDLES[1]}  # main.js is imported by embed.js


@pytest.mark.skipif(NODE is None, reason="no node: it comes with the development requirements")
def test_a_module_that_is_imported_when_it_is_needed_can_lie_in_the_bundle(tmp_path):
    entry = written(
        tmp_path,
        **{
            "main": 'import { a } from "./data/a.js";\n'
            'export const late = () => import("./late.js");\nexport const b = a;\n',
            "data/a": "export const a = 2;\n",
            "late": 'import { a } from "./data/a.js";\nexport const c = 3 * a;\n',
        },
    )
    assert "import(" in bundle(entry, read).decode()
    assert "import(" not in bundle(entry, read, alone=True).decode()
    (tmp_path / "whole.mjs").write_bytes(bundle(entry, read, alone=True))
    program = 'import { late, b } from "./whole.mjs";\nlate().then(({ c }) => console.log(b, c));\n'
    (tmp_path / "ask.mjs").write_text(program)
    done = subprocess.run(
        [NODE, "ask.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["2", "6"]
