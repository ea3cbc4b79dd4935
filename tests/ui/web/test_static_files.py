"""What browsers fetch: our modules without their comments, under a name of their content."""

import pytest

from ui.web import static_files

SOURCE = b"""// A module.
const a = 1; // stays: it shares its line
/**
 * @param {number} b
 */
function f(b) {
  // why
  const c =
    /** @type {number} */ (b) / 2; /* odd * stars ** here */
  /* one line */
  return `// no comment, ${c}`;
}
"""
MODULES = sorted(static_files._SOURCE.rglob("*.js"))


def test_comments_with_lines_of_their_own_do_not_travel(tmp_path):
    (tmp_path / "a.js").write_bytes(SOURCE)
    assert static_files.without_comments(tmp_path / "a.js").decode().splitlines() == [
        "const a = 1; // stays: it shares its line",
        "function f(b) {",
        "  const c =",
        "    /** @type {number} */ (b) / 2; /* odd * stars ** here */",
        "  return `// no comment, ${c}`;",
        "}",
    ]


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_nothing_is_taken_out_of_a_text_of_several_lines(file):
    source = file.read_bytes()
    taken = list(static_files._COMMENT.finditer(source))
    rest = static_files._COMMENT.sub(lambda match: b"\0" * len(match[0]), source)
    assert all(rest[: match.start()].count(b"`") % 2 == 0 for match in taken)
    assert len(static_files.without_comments(file)) < len(source)


def test_a_reader_gets_what_is_served_and_its_name_tells_a_change(tmp_path):
    static_files.publish(tmp_path)
    home = tmp_path / static_files.live_folder()
    assert {path.name for path in home.glob("*.js")} == {"main.js", "embed.js", "export.js"}
    for file in static_files.BUNDLES:
        assert (home / file.name).read_bytes() == static_files.served(file)
    (home / "main.js").write_bytes(b"damaged")
    static_files.publish(tmp_path)
    assert (home / "main.js").read_bytes() == static_files.served(static_files._SOURCE / "main.js")
