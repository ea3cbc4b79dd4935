"""The command that writes a handout: it asks the function it is told of, and refuses with a sentence."""

import pytest

from dpcore.__main__ import main


def write(text, address, tell):
    tell("one")
    if "bad" in text:
        raise ValueError("this is bad")
    return f"<p>{text}{address}</p>"


WORK = f"{__name__}:write"


def test_the_file_is_written_beside_the_lesson(tmp_path, capsys):
    lesson = tmp_path / "lesson.yaml"
    lesson.write_text("ε")
    assert main(["handout", str(lesson), "--work", WORK, "--address", "https://x.org"]) == 0
    assert (tmp_path / "lesson.html").read_text("utf-8") == "<p>εhttps://x.org</p>"
    assert "lesson.html" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--address", "javascript:x"], "give one like https"),
        (["--work", "no.such:thing"], "is not to be had"),
        (["--out", "/nowhere/at/all.html"], "No such file"),
        ([], "this is bad"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, capsys, more, said):
    lesson = tmp_path / "lesson.yaml"
    lesson.write_text("bad" if not more else "good")
    work = [] if "--work" in more else ["--work", WORK]
    assert main(["handout", str(lesson), *work, *more]) == 2
    assert said in capsys.readouterr().err
    assert main(["handout", str(tmp_path / "none.yaml")]) == 2
