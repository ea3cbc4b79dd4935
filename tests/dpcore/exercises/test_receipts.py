"""Receipts: forged, of another key, of another score; and the command with its exit codes."""

import pytest

from dpcore.__main__ import main
from dpcore.exercises import ExerciseError, Receipt
from dpcore.exercises import receipts as module

KEY = "a key of this server's own"
MINE = Receipt(course="dp26", pseudonym="otter", exercise="odds", score=0.5)


@pytest.fixture(autouse=True)
def no_key_of_this_machine(monkeypatch, tmp_path):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "cache"))
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
     ("otter:odds", "ott:erodds"), (":0.5:", ":0.50:"), (":0.5:", ":0.67:"), (":0.5:", ":5:")],
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
        {"score": 0.333},
        {"score": 1.01},
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


@pytest.mark.parametrize("score", [0.01, 0.05, 0.1, 0.33, 0.5, 0.67, 0.9, 1.0])
def test_every_share_of_a_point_has_a_receipt_and_a_mark(score):
    one = Receipt(course="dp26", pseudonym="otter", exercise="odds", score=score)
    assert Receipt.read(one.sign(KEY.encode()), KEY.encode()) == one
    assert Receipt.of_mark(one.mark(KEY.encode()), "dp26", "otter", KEY.encode()) == one
    assert Receipt.of_mark("odds.00." + "0" * 20, "dp26", "otter", KEY.encode()) is None


def test_a_server_without_a_key_makes_one_and_keeps_it_to_itself(tmp_path):
    made = module.server_key()
    assert made.lasting
    assert len(made.secret) > 40
    assert "secret" not in repr(made)
    assert module.key_file().stat().st_mode & 0o777 == 0o600
    line = MINE.sign(made.secret)
    module.server_key.cache_clear()  # a restart
    assert Receipt.read(line, module.server_key().secret) == MINE
    assert [path.name for path in module.key_file().parent.iterdir()] == ["receipts.key"]


def test_of_two_servers_that_make_a_key_at_once_both_have_the_first():
    module._make_key()
    first = module.key_file().read_text()
    module._make_key()
    assert module.key_file().read_text() == first


def test_where_nothing_can_be_written_the_key_does_not_last(monkeypatch, tmp_path):
    (tmp_path / "in the way").write_text("")
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "in the way"))
    made = module.server_key()
    assert not made.lasting
    assert len(made.secret) == 32
    assert module.known_key() is None


def test_a_key_from_outside_goes_before(monkeypatch, tmp_path):
    module._make_key()
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
    assert told == [
        "line 3: valid: course dp26, otter, odds: 0.5 (stands there more than once)",
        "course  pseudonym  points  exercises",
        "dp26    otter         0.5  odds 0.5",
        "2 of 2 receipts are valid.",
    ]
    file.write_text(f"{line}\n{line.replace(':0.5:', ':1:')}\nhello\n")
    assert main(["receipts", "check", str(file)]) == 1
    told = capsys.readouterr().out
    assert "line 2: not signed by this server's key" in told
    assert "line 3: no receipt" in told
    assert main(["receipts", "check", str(tmp_path / "none.txt")]) == 2
    assert not module.key_file().exists(), "whoever checks receipts makes no key"
    file.write_text("")
    assert main(["receipts", "check", str(file)]) == 1


@pytest.mark.parametrize("scores", [(0.5, 1.0), (1.0, 0.5), (0.5, 0.25, 1.0), (1.0, 1.0, 0.25)])
def test_a_receipt_with_another_score_is_said_in_any_order(scores):
    key = KEY.encode()
    handed_in = [Receipt(course="c", pseudonym="p", exercise="odds", score=s) for s in scores]
    said = [sentence for _, _, sentence in module.check([one.sign(key) for one in handed_in], key)]
    for k, sentence in enumerate(said):
        others = sorted({*scores[:k]} - {scores[k]})
        assert ("more than once" in sentence) == (k > 0 and not others)
        listed = " and ".join(f"{score:g}" for score in others)
        assert (f"with the score {listed};" in sentence) == bool(others)
    assert module.points(handed_in) == {("c", "p"): {"odds": 1.0}}
    lower = sorted({*scores} - {1.0})
    assert module.lower_scores(handed_in) == {("c", "p"): {"odds": lower}}


def test_the_points_of_a_class_are_a_table_and_a_csv_file(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv(module.KEY, KEY)
    told = [
        ("otter", "odds", 0.5),
        ("heron", "group", 1.0),
        ("otter", "odds", 1.0),
        ("otter", "alice.group", 0.5),
    ]
    lines = [
        Receipt(course="dp26", pseudonym=name, exercise=exercise, score=score).sign(KEY.encode())
        for name, exercise, score in told
    ]
    file, table = tmp_path / "handed_in.txt", tmp_path / "points.csv"
    file.write_text("\n".join(lines))
    assert main(["receipts", "check", str(file), "--csv", str(table)]) == 0
    assert capsys.readouterr().out.splitlines()[:4] == [
        "line 3: valid: course dp26, otter, odds: 1 (stands there before with the score 0.5; the best score counts)",
        "course  pseudonym  points  exercises",
        "dp26    heron           1  group 1",
        "dp26    otter         1.5  alice.group 0.5, odds 1 (also 0.5)",
    ]
    assert table.read_text() == (
        "course,pseudonym,points,alice.group,group,odds,lower_scores\n"
        "dp26,heron,1,,1,,\n"
        "dp26,otter,1.5,0.5,,1,odds 0.5\n"
    )
    assert main(["receipts", "check", str(file), "--csv", str(tmp_path)]) == 2
    assert "cannot be written" in capsys.readouterr().err
