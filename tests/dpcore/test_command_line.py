"""The command line: exit codes, the sentence of every bad argument, and the ε and σ that it prints."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dpcore
from dpcore import accounting
from dpcore.__main__ import main
from dpcore._command import Progress, require_writable
from dpcore.journal import Journal, Refused

ROOT = Path(__file__).resolve().parents[2]
STEPS = ["--sample-rate", "0.01", "--n-steps", "1000", "--delta", "1e-5"]
SIGMA = ["epsilon", "--noise-multiplier", "2"]


def run(*words, **how):
    command = [sys.executable, "-m", "dpcore", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **how)


def test_the_epsilon_of_steps_is_printed_with_what_it_counts_for(capsys):
    assert main([*SIGMA, *STEPS]) == 0
    printed = capsys.readouterr().out
    known = accounting.epsilon(noise_multiplier=2, sample_rate=0.01, n_steps=1000, delta=1e-5)
    shown = float(printed.split()[1])
    assert known <= shown <= known * 1.001
    for part in ("at δ = 1e-05", "one record added or removed", "proved under assumptions",
                 "1000 steps: Gaussian on a Poisson sample, σ = 2, q = 0.01", "clipped to norm C"):  # fmt: skip
        assert part in printed


@pytest.mark.parametrize("accountant", ["pld", "rdp"])
def test_json_has_the_numbers_of_the_account(accountant, capsys):
    assert main([*SIGMA, *STEPS, "--json", "--accountant", accountant]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["epsilon"] == accounting.epsilon(
        noise_multiplier=2, sample_rate=0.01, n_steps=1000, delta=1e-5, accountant=accountant
    )
    assert (found["status"], found["neighbouring"]) == ("proved_under_assumption", "add_remove")


def test_without_noise_no_epsilon_holds(capsys):
    assert main(["epsilon", "--noise-multiplier", "0", *STEPS]) == 0
    assert "∞ at δ" in capsys.readouterr().out
    assert main(["epsilon", "--noise-multiplier", "0", *STEPS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["epsilon"] == "inf"


@pytest.mark.parametrize("more", [[], ["--neighbouring", "replace_one", "--lots", "fixed"]])
def test_the_printed_noise_suffices_and_little_less_does_not(more, capsys):
    words = ["noise", "--epsilon", "1.5", *STEPS, *more, "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["epsilon"] <= 1.5
    how = {
        name: found[name] for name in ("sample_rate", "n_steps", "delta", "neighbouring", "lots")
    }
    less = accounting.epsilon(noise_multiplier=0.99 * found["noise_multiplier"], **how)
    assert less > 1.5
    assert main(words[:-1]) == 0
    assert capsys.readouterr().out.startswith(
        f"noise multiplier σ = {found['noise_multiplier']:.6g}\n"
    )


SCREEN = ["table1", "--data", "segment", "--folds", "1"]
BAD = {
    "a negative σ": (["epsilon", "--noise-multiplier", "-1", *STEPS], "--noise-multiplier=-1.0 is not allowed"),
    "σ is no number": (["epsilon", "--noise-multiplier", "nan", *STEPS], "--noise-multiplier=nan is not allowed"),
    "q above 1": ([*SIGMA, "--delta", "1e-5", "--sample-rate", "2"], "--sample-rate=2.0 is not allowed"),
    "δ of 0": ([*SIGMA, "--delta", "0"], "--delta=0.0 is not allowed"),
    "too many steps": ([*SIGMA, "--delta", "1e-5", "--n-steps", "100000000"], "--n-steps=100000000 is not allowed"),
    "fixed lots": ([*SIGMA, *STEPS, "--lots", "fixed"], "replace_one"),
    "an ε of 0": (["noise", "--epsilon", "0", *STEPS], "--epsilon=0.0 is not allowed"),
    "no table": (["table1-page", "--results", "/nonexistent.csv", "--seeds", "docs/table1_seeds.csv", "--out", "OUT"],
                 "/nonexistent.csv cannot be read: No such file or directory"),
    "an empty table": (["table1-page", "--results", "EMPTY", "--seeds", "docs/table1_seeds.csv", "--out", "OUT"],
                       "is no table"),
    "another table": (["table1-page", "--results", "OTHER.csv", "--seeds", "docs/table1_seeds.csv", "--out", "OUT"],
                      "has no column 'data'"),
    "no jobs": ([*SCREEN, "--jobs", "0", "--out", "OUT.csv"],
        "--jobs 0 is not allowed: give a whole number of at least 1"),
    "no folds": ([*SCREEN, "--folds", "0", "--out", "OUT.csv"], "n_folds=0 is not allowed"),
    "no repeats": ([*SCREEN, "--repeats", "0", "--out", "OUT.csv"], "n_repeats=0 is not allowed"),
    "another format": ([*SCREEN, "--out", "OUT.txt"], "give a name that ends in .csv or .parquet"),
    "no folder of data": ([*SCREEN, "--data-dir", "/nope", "--out", "OUT.csv"], "--data-dir /nope is not a folder"),
    "Dask without a scheduler": ([*SCREEN, "--backend", "dask", "--out", "OUT.csv"],
        "needs the address of a scheduler"),
    "means in another format": (["figure1", "--means", "OUT.txt", "--out", "OUT.csv"],
        "--means OUT.txt is not allowed"),
    "means that are no table": (["figure1", "--means", "OTHER.csv", "--out", "OUT.csv"], "has no column 'data'"),
    "a folder that cannot be": (["audit", "laplace, add", "--trainings", "10", "--out", "/proc/x.csv"],
                                "/proc/x.csv cannot be written: No such file or directory. Name another file."),
    "a folder as a file": (["verdicts", "--out", "."], ". cannot be written: Is a directory"),
    "a file as a folder": (["verdicts", "--out", "OTHER.csv/x.json"], "cannot be written: "),
    "another audit": (["audit", "no such audit"], "is in no name"),
    "a seed below 0": (["mnist-network", "--runs", "1.19", "--seed", "-1", "--out", "OUT.json"],
        "--seed -1 is not allowed"),
    "no receipts": (["receipts", "check", "/nonexistent.txt"], "/nonexistent.txt"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(BAD))
def test_a_bad_argument_gets_a_sentence_and_code_2_and_leaves_no_file(
    name, tmp_path, monkeypatch, capsys
):
    words, sentence = BAD[name]
    monkeypatch.setenv("DPCORE_RECEIPT_KEY", "k" * 64)
    seeds = str(ROOT / "docs" / "table1_seeds.csv")
    words = [seeds if word == "docs/table1_seeds.csv" else word for word in words]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "EMPTY").touch()
    (tmp_path / "OTHER.csv").write_text("a,b\n1,2\n")
    assert main(words) == 2
    printed, said = capsys.readouterr()
    assert printed == ""
    assert said.startswith("dpcore: ")
    assert sentence in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["EMPTY", "OTHER.csv"]


@pytest.mark.parametrize("command", ["table1", "table1-page", "figure1", "sweep"])
def test_a_command_that_needs_pandas_says_so_before_any_work(
    command, tmp_path, monkeypatch, capsys
):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "pandas" else found(name)
    )
    out = tmp_path / "t.csv"
    more = ["--results", "r.csv", "--seeds", "s.csv"] if command == "table1-page" else []
    assert main([command, "--out", str(out), *more]) == 2
    assert (
        f"dpcore: {command} needs pandas, which is not installed: pip install 'dpcore[table1]'."
        in capsys.readouterr().err
    )
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_command_and_no_command_have_code_2(capsys):
    for words in (["nothing"], [], ["epsilon"]):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 2
    assert "invalid choice: 'nothing'" in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"dpcore {dpcore.__version__}\n"


def test_the_console_script_is_named_in_its_usage(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/usr/bin/dpcore", "noise", "--help"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.startswith("usage: dpcore noise ")


@pytest.mark.parametrize("words", [["--help"], ["epsilon", "--help"], ["noise", "--help"]])
def test_help_imports_no_heavy_module(words):
    code = (
        "import contextlib, sys\nfrom dpcore.__main__ import main\n"
        f"with contextlib.suppress(SystemExit): main({words!r})\n"
        "print(sorted({'scipy', 'sklearn', 'joblib', 'numba', 'pandas', 'torch'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines()[-1] == "[]"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interruption_is_a_sentence_and_code_130_and_the_same_command_goes_on(tmp_path):
    out = tmp_path / "a.csv"
    words = ["audit", "laplace, add", "gaussian, add", "--trainings", "100000", "--out", str(out)]
    program = subprocess.Popen(
        [sys.executable, "-m", "dpcore", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True,
        # A shell lets what it runs in the background ignore interruptions, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    journal = tmp_path / "a.csv.journal"
    for _ in range(600):
        if journal.exists() and journal.read_bytes().count(b"\n") > 2:
            break
        time.sleep(0.1)
    program.send_signal(signal.SIGINT)
    said = program.communicate()[1]
    assert program.returncode == 130
    assert said.splitlines()[-1] == (
        f"dpcore: interrupted. {journal} has what is finished: the same command goes on there."
    )
    assert "Traceback" not in said


def test_an_interruption_without_a_journal_says_that_nothing_was_kept(monkeypatch, capsys):
    from dpcore import _steps_command

    def interrupted(*words, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr(_steps_command, "_print_guarantee", interrupted)
    assert main([*SIGMA, *STEPS]) == 130
    assert capsys.readouterr().err == "dpcore: interrupted: nothing was kept.\n"


def test_a_defect_of_the_program_is_no_sentence(monkeypatch):
    from dpcore import _steps_command

    def broken(*words, **named):
        raise ValueError("a defect")

    monkeypatch.setattr(_steps_command, "_print_guarantee", broken)
    with pytest.raises(ValueError, match="a defect"):
        main([*SIGMA, *STEPS])


def test_a_run_that_finishes_nothing_leaves_no_journal_and_refuses_no_other(tmp_path):
    path = tmp_path / "t.csv.journal"
    with pytest.raises(OSError, match="no data"), Journal(path, {"seed": 1}):
        raise OSError("no data")
    assert not path.exists()
    with Journal(path, {"seed": 2}) as other:
        assert other.add("a", [{"x": 1}])
    with pytest.raises(Refused, match="other settings"), Journal(path, {"seed": 1}):
        pass
    with Journal(path, {"seed": 2}) as same:
        assert same.done == {"a": [{"x": 1}]}


def test_settings_without_a_task_of_an_older_version_are_no_obstacle(tmp_path):
    path = tmp_path / "t.csv.journal"
    path.write_text('{"settings": "0123456789abcdef"}\n')
    with Journal(path, {"seed": 2}) as journal:
        journal.add("a", [{"x": 1}])
    with Journal(path, {"seed": 2}) as journal:
        assert journal.done == {"a": [{"x": 1}]}


def test_what_can_be_written_is_left_as_it_was(tmp_path):
    there, new = tmp_path / "a.csv", tmp_path / "sub" / "b.csv"
    there.write_text("kept")
    require_writable(there)
    require_writable(new)
    assert there.read_text() == "kept"
    assert not new.exists()


def test_progress_names_the_remaining_time(monkeypatch):
    clock, lines = [0.0], []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    progress = Progress(4, lines.append)
    clock[0] = 30.0
    progress.step("first")
    clock[0] = 120.0
    progress.step("second")
    assert lines == ["    1/4  1:30 left  first", "    2/4  2:00 left  second"]
