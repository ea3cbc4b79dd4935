"""What pages begin with is one file: the same exports as the modules, each module once, in the order of imports."""

import re
import shutil
import subprocess

import pytest

from ui.server import static_files
from ui.server.js_bundle import joined

ENTRIES = [static_files._SOURCE / name for name in static_files._WHOLE]
NODE = shutil.which("node") or shutil.which("node", path=".venv/bin")


def written(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder / "main.js"


def read(file):
    return file.read_bytes()


def test_each_module_is_called_once_after_what_it_imports(tmp_path):
    entry = written(
        tmp_path,
        main='import { b } from "./b.js";\n'
        'import {\n  c as other,\n  d,\n} from "./c.js";\nexport const a = b + other + d;\n',
        b='import { c } from "./c.js";\nexport const b = 10 * c;\n',
        c="let calls = 0;\nexport const c = ++calls;\nexport function d() {}\n",
    )
    text = joined(entry, read).decode()
    assert re.findall(r"^const (\$\w+)", text, re.M) == ["$c", "$b", "$main"]
    assert "const {\n  c: other,\n  d,\n} = $c;" in text
    assert text.splitlines()[-1] == "export const { a } = $main;"
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
        joined(written(tmp_path, **modules), read)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
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
    assert 'import("./export.js")' in whole.read_text(), "what is needed later stays a file"
