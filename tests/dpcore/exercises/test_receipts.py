"""Receipts: forged, of another key, of another score; and the command with its exit codes."""

import pytest

from dpcore.__main__ import main
from dpcore.exercises import ExerciseError, Receipt
from dpcore.exercises import receipts as module

KEY = "a key of this server's own"
MINE = Receipt(course="dp26", pseudonym="otter", exercise="odds", score=0.5)


@pytest.fixture(autouse=True)
def no_key_of_this_machine(monkeypatch):
    monkeypatch.delenv(module.KEY, raising=False)
    monkeypatch.delenv(module.KEY_FILE, raising=False)
    module.server_key.cache_clear()
    yield
    module.server_key.cache_clear()


def test_a_receipt_is_read_with_its_key_alone():
    line = MINE.sign(KEY.encode())
    assert Receipt.read(f" {line}\n", KEY.encode()) == MINE
    assert Receipt.read(line, b"another key of a server") is None
    head, _, mac = line.rpartition(":")
    assert Receipt.read(f"{head}:{'0' * 64}", KEY.encode()) is None
    assert Receipt.read(f"{head}:{mac[:-1]}", KEY.encode()) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [(":0.5:", ":1:"), ("otter", "heron"), ("odds", "group"), ("dp26", "dp27"), ("dpx1", "dpx2"),
     ("otter:odds", "ott:erodds"), (":0.5:", ":0.50:"), (":0.5:", ":5:")],
)  # fmt: skip
def test_a_changed_receipt_is_none(old, new):
    assert Receipt.read(MINE.sign(KEY.encode()).replace(old, new), KEY.encode()) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"pseudonym": "a:b"},
        {"pseudonym": ""},
        {"course": "x" * 41},
        {"score": 0.0},
        {"pseudonym": "a b\n"},
    ],
)
def test_what_cannot_stand_in_a_receipt_is_refused(changes):
    told = {"course": "dp26", "pseudonym": "otter", "exercise": "odds", "score": 1.0} | changes
    with pytest.raises(ExerciseError):
        Receipt(**told)


def test_a_mark_of_a_link_is_proved_by_the_key_alone():
    mark = MINE.mark(KEY.encode())
    assert mark.startswith("odds.h.")
    assert Receipt.of_mark(mark, "dp26", "otter", KEY.encode()) == MINE
    for other in (
        mark.replace(".h.", ".1."),
        mark.replace("odds", "group"),
        mark[:-1],
        "",
        "a.b.c",
    ):
        assert Receipt.of_mark(other, "dp26", "otter", KEY.encode()) is None
    assert Receipt.of_mark(mark, "dp26", "heron", KEY.encode()) is None
    assert Receipt.of_mark(mark, "dp26", "a:b", KEY.encode()) is None
    assert Receipt.of_mark(mark, "dp26", "otter", b"another key of a server") is None


def test_the_key_comes_from_outside_or_says_that_it_does_not_last(monkeypatch, tmp_path):
    made = module.server_key()
    assert not made.lasting
    assert len(made.secret) == 32
    assert "secret" not in repr(made)
    module.server_key.cache_clear()
    file = tmp_path / "key"
    file.write_text(KEY + "\n")
    monkeypatch.setenv(module.KEY_FILE, str(file))
    assert module.server_key() == module.ServerKey(KEY.encode(), True)
    for name, value in ((module.KEY, "short"), (module.KEY_FILE, str(tmp_path / "none"))):
        module.server_key.cache_clear()
        monkeypatch.setenv(name, value)
        with pytest.raises(ExerciseError):
            module.server_key()
        monkeypatch.delenv(name)


def test_the_command_tells_valid_receipts_from_others(monkeypatch, tmp_path, capsys):
    line, file = MINE.sign(KEY.encode()), tmp_path / "handed_in.txt"
    file.write_text(f"{line}\n\nAnna wrote: {line}.\n")
    assert main(["receipts", "check", str(file)]) == 2  # no key
    assert "the server's key is not known here" in capsys.readouterr().err
    module.server_key.cache_clear()
    monkeypatch.setenv(module.KEY, KEY)
    assert main(["receipts", "check", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "line 1: valid: course dp26, otter, odds: 0.5"
    assert "more than once" in told[1]
    assert told[-1] == "2 of 2 receipts are valid."
    file.write_text(f"{line}\n{line.replace(':0.5:', ':1:')}\nhello\n")
    assert main(["receipts", "check", str(file)]) == 1
    told = capsys.readouterr().out
    assert "line 2: not signed by this server's key" in told
    assert "line 3: no receipt" in told
    assert main(["receipts", "check", str(tmp_path / "none.txt")]) == 2
    file.write_text("")
    assert main(["receipts", "check", str(file)]) == 1
