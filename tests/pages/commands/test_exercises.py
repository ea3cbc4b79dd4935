"""The command that checks a folder of exercises, with its exit codes."""

from pages.__main__ import main
from ui.exercises.files import folder


def test_the_command_checks_a_folder(tmp_path, capsys):
    assert main(["exercises", "check", str(tmp_path)]) == 2
    text = (folder() / "value-record.yaml").read_text("utf-8")
    (tmp_path / "good.yaml").write_text(text, "utf-8")
    assert main(["exercises", "check", str(tmp_path)]) == 0
    assert "1 exercises, 16 draws: no faults." in capsys.readouterr().out
    (tmp_path / "near.yaml").write_text(
        text.replace("value: epsilon / p", "value: 1.01 * p * epsilon"), "utf-8"
    )
    assert main(["exercises", "check", str(tmp_path)]) == 1
    assert "near: with p=4.0" in capsys.readouterr().out
    (tmp_path / "broken.yaml").write_text("title: [", "utf-8")
    assert main(["exercises", "check", str(tmp_path)]) == 2
    assert "broken.yaml" in capsys.readouterr().err
