"""The command that writes a handout: the file lies beside the lesson, a refusal is a sentence."""

import pytest

from pages.__main__ import main


def write(text, address, tell):
    tell("one")
    if "bad" in text:
        raise ValueError("this is bad")
    return f"<p>{text}{address}</p>"


@pytest.fixture(autouse=True)
def figures(monkeypatch):
    monkeypatch.setattr("pages.handout.write", write)


def test_the_file_is_written_beside_the_lesson(tmp_path, capsys):
    lesson = tmp_path / "lesson.yaml"
    lesson.write_text("ε")
    assert main(["handout", str(lesson), "--address", "https://x.org"]) == 0
    assert (tmp_path / "lesson.html").read_text("utf-8") == "<p>εhttps://x.org</p>"
    assert "lesson.html" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--address", "javascript:x"], "give one like https"),
        (["--out", "/nowhere/at/all.html"], "No such file"),
        ([], "this is bad"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, capsys, more, said):
    lesson = tmp_path / "lesson.yaml"
    lesson.write_text("bad" if not more else "good")
    assert main(["handout", str(lesson), *more]) == 2
    assert said in capsys.readouterr().err
    assert main(["handout", str(tmp_path / "none.yaml")]) == 2
