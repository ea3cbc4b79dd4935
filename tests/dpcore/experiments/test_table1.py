"""The paper's table: its protocol, its journal, and what survives a kill, on every backend."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from dpcore.__main__ import main
from dpcore.datasets import load, principal
from dpcore.datasets.principal import folds
from dpcore.experiments import table1
from dpcore.experiments.table1 import training
from dpcore.experiments.table1.run import Clock
from dpcore.experiments.table1.training import EPSILONS
from dpcore.journal import Journal

ROOT = Path(__file__).resolve().parents[3]
SHORT = {"epochs": 1, "sample_rate": 0.1}
QUICK = {"recipes": ("paper", "sgd"), "n_repeats": 2, "n_folds": 2, "change": SHORT}

SEEDS = Path(__file__).resolve().parents[3] / "docs" / "table1_seeds.csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with small made-up files in the formats of the real ones."""
    home, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(0)
    for name, d, k in (("segment", 19, 7), ("har", 561, 6), ("mnist", 784, 10)):
        y = np.arange(20 * k) % k
        X = rng.normal(size=(len(y), d)) + 2 * rng.normal(size=(k, d))[y]
        X = np.clip(X / 8, -1, 1)
        X = (127.5 * (X + 1)).astype(np.uint8) if name == "mnist" else X.astype(np.float32)
        np.savez(home / f"{name}.npz", X=X, y=y, n_train=len(y) // 2)
    return str(home)


def numbers(rows):
    return [{k: v for k, v in row.items() if k != "seconds"} for row in rows]


def journal_keys(out):
    lines = out.with_name(out.name + ".journal").read_text().splitlines()
    return [json.loads(line)["key"] for line in lines[1:]]


def quick(folder, **options):
    return table1.Settings(**{**QUICK, "data": ("segment",), "data_dir": folder, **options})


@pytest.fixture(scope="module")
def wanted(folder, tmp_path_factory):
    out = tmp_path_factory.mktemp("once") / "table.csv"
    return numbers(table1.run(quick(folder), out, backend="threads", tell=lambda line: None))


def test_rows_name_their_cell_and_are_a_pure_function_of_the_seed(wanted, folder, tmp_path):
    assert len(wanted) == 2 * 2 * 2 * (3 + 1)
    assert [row["epsilon"] for row in wanted[:4]] == [*EPSILONS, math.inf]
    assert all(0 <= row["error"] <= 1 for row in wanted)
    other = table1.run(quick(folder, seed=2), tmp_path / "t.csv", tell=lambda line: None)
    assert [row["error"] for row in other] != [row["error"] for row in wanted]


@pytest.mark.parametrize(("backend", "jobs"), [("threads", 2), ("processes", 2), ("processes", 1)])
def test_every_backend_gives_the_same_rows(wanted, folder, tmp_path, backend, jobs):
    told = []
    rows = table1.run(
        quick(folder), tmp_path / "t.csv", backend=backend, n_jobs=jobs, tell=told.append
    )
    assert numbers(rows) == wanted
    assert len(told) == 16
    assert "16/16  0:00 left" in told[-1]


def loky_workers():
    children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    found = {int(pid) for child in children for pid in child.read_text().split()}
    return [p for p in found if b"popen_loky_posix" in Path(f"/proc/{p}/cmdline").read_bytes()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find workers")
def test_a_killed_worker_process_costs_nothing(wanted, folder, tmp_path):
    told, killed = [], []

    def tell(line):
        told.append(line)
        if not killed:
            killed.extend(loky_workers()[:1])
            os.kill(killed[0], signal.SIGKILL)

    out = tmp_path / "t.csv"
    rows = table1.run(quick(folder), out, backend="processes", n_jobs=2, tell=tell)
    assert killed
    assert numbers(rows) == wanted
    assert len(journal_keys(out)) == len(set(journal_keys(out))) == 16


@pytest.mark.thorough
def test_a_killed_worker_of_a_dask_cluster_costs_nothing(wanted, folder, tmp_path):
    distributed = pytest.importorskip("distributed", reason="Dask is optional and not installed")
    told = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = client.run(os.getpid)

        def tell(line):
            if not told:
                os.kill(next(iter(pids.values())), signal.SIGKILL)
            told.append(line)

        out = tmp_path / "t.csv"
        rows = table1.run(
            quick(folder), out, backend="dask", n_jobs=2,
            scheduler=cluster.scheduler_address, tell=tell,
        )  # fmt: skip
    assert numbers(rows) == wanted
    assert len(journal_keys(out)) == len(set(journal_keys(out))) == 16


def test_a_run_that_stops_goes_on_where_it_was(wanted, folder, tmp_path):
    out, told = tmp_path / "t.csv", []

    def stop(line):
        told.append(line)
        if len(told) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        table1.run(quick(folder), out, backend="threads", tell=stop)
    assert not out.exists()
    journal = out.with_name("t.csv.journal")
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-9])  # the fifth line, as a kill in the middle of it leaves it
    again = []
    rows = table1.run(quick(folder), out, backend="threads", tell=again.append)
    assert again[0].startswith("4 of 16 tasks")
    assert len(again) == 1 + 12
    assert numbers(rows) == wanted
    assert len(journal_keys(out)) == len(set(journal_keys(out))) == 16
    more = table1.run(quick(folder, n_repeats=3), out, backend="threads", tell=lambda line: None)
    assert numbers(more)[:32] == wanted
    assert len(journal_keys(out)) == 24


def test_a_killed_program_of_threads_goes_on_where_it_was(folder, tmp_path):
    out = tmp_path / "t.parquet"
    words = ["table1", "--data-dir", folder, "--out", str(out), "--data", "segment", "--models",
             "glvq", "--recipes", "paper", "sgd", "--repeats", "5", "--folds", "5", "--backend",
             "threads"]  # fmt: skip
    program = subprocess.Popen(
        [sys.executable, "-m", "dpcore", *words], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    journal, before = out.with_name("t.parquet.journal"), 0
    for _ in range(1200):
        before = journal.read_bytes().count(b"\n") if journal.exists() else 0
        if before > 3:
            break
        time.sleep(0.05)
    program.kill()
    program.wait()
    assert before > 3
    assert main(words) == 0
    keys = journal_keys(out)
    assert len(keys) == len(set(keys)) == 50
    assert len(table1.read(out)) == 25 * 4


def test_the_journal_is_one_runs_at_a_time_and_of_one_setting(tmp_path):
    path = tmp_path / "j"
    with Journal(path, {"seed": 1}) as journal:
        assert journal.add("a", [{"x": 1}])
        assert not journal.add("a", [{"x": 2}])
        with pytest.raises(table1.Refused, match="in use"), Journal(path, {"seed": 1}):
            pass
    with Journal(path, {"seed": 1}) as journal:
        assert journal.rows() == [{"x": 1}]
    with pytest.raises(table1.Refused, match="other settings"), Journal(path, {"seed": 2}):
        pass


def test_mnist_trains_on_one_fold_and_the_others_on_four():
    y = np.arange(200) % 4
    seen = np.zeros(200, int)
    for fold in range(5):
        small, large = folds("mnist", y, 0, fold, seed=1)
        assert (len(small), len(large)) == (40, 160)
        rest, test = folds("segment", y, 0, fold, seed=1)
        assert (small == test).all()
        assert (large == rest).all()
        assert (np.bincount(y[small]) == 10).all()
        seen[small] += 1
    assert (seen == 1).all()
    assert (folds("mnist", y, 1, 0, 1)[0] != folds("mnist", y, 0, 0, 1)[0]).any()


@pytest.mark.parametrize("name", ["projected", "best"])
def test_start_and_steps_together_cost_what_the_head_of_the_line_says(name):
    from dpcore import accounting
    from dpcore.lvq import guarantee

    recipe = table1.RECIPES[name]
    for level in recipe.levels(30):
        start = guarantee.start_event(recipe.start, 0.2 * level.epsilon, 5e-6)
        one = accounting.PoissonSampled(0.01, accounting.GaussianEvent(level.noise_multiplier))
        whole = accounting.Sequence((start, accounting.Repeated(one, recipe.n_steps)))
        spent = accounting.spent(whole, 1e-5)
        assert 0.998 * level.epsilon < spent <= level.epsilon


def test_the_levels_are_the_printed_and_the_tight_noise():
    sigmas = {
        name: [level.noise_multiplier for level in table1.RECIPES[name].levels(30)]
        for name in ("paper", "tight", "projected", "best", "sgd")
    }
    assert sigmas["paper"] == pytest.approx([7.9975, 3.9988, 2.3993], rel=1e-4)
    assert sigmas["tight"] == pytest.approx([4.289, 2.3645, 1.5902], rel=2e-3)
    # Start and steps accounted for together need less noise; the Gaussian start costs less still.
    assert sigmas["projected"] == pytest.approx([3.9456, 2.2101, 1.5103], rel=2e-3)
    assert sigmas["best"] == pytest.approx([3.6080, 2.0193, 1.3876], rel=2e-3)
    assert sigmas["sgd"] == [0]
    first = table1.RECIPES["paper"].levels(30)[0]
    assert (first.count_scale, first.sum_scale) == pytest.approx((2 / 0.15, 60 / 0.15))
    assert set(table1.PRINTED) == {(d, m) for d in ("mnist", "har", "segment") for m in
                                   ("glvq", "gmlvq")}  # fmt: skip


def test_components_are_the_principal_ones_and_fill_the_domain():
    from sklearn.decomposition import PCA

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12)) * np.arange(1, 13) + rng.normal(size=12)
    found, wanted = principal.components(X, 4), PCA(4).fit_transform(X)
    np.testing.assert_allclose(np.abs(found), np.abs(wanted), atol=1e-8)
    scaled = principal.min_max(np.column_stack([found, np.full(300, 7.0)]))
    assert (scaled[:, :4].min(0) == -1).all()
    assert (scaled[:, :4].max(0) == 1).all()
    assert (scaled[:, 4] == 0).all()


@pytest.mark.parametrize("name", ["mnist", "har", "segment"])
def test_a_public_basis_looks_at_no_other_record(name, folder, tmp_path):
    X, y = training.records(name, "public", folder)
    with np.load(Path(folder) / f"{name}.npz") as raw:
        np.savez(tmp_path / f"{name}.npz", X=raw["X"][:7], y=raw["y"][:7], n_train=3)
    fewer, _ = training.records(name, "public", str(tmp_path))
    np.testing.assert_allclose(fewer, X[:7], atol=1e-6)
    assert np.abs(X).max() <= 1
    paid, _ = training.records(name, "pca", folder)
    assert len(paid) == len(y)
    assert paid.shape[1] == (19 if name == "segment" else 30)


def test_the_public_basis_of_pictures_is_that_of_the_data_set(folder):
    X, _ = training.records("mnist", "public", folder)
    data = load("mnist_dct", data_home=folder)
    np.testing.assert_allclose(X, np.vstack([data.scaled(), data.scaled(data.X_test)]), atol=1e-6)


def row(data, model, recipe, epsilon, error):
    return {"data": data, "model": model, "recipe": recipe, "epsilon": epsilon, "error": error}


def test_verdicts_can_say_no():
    rows = [
        row("segment", "glvq", "bfgs", math.inf, 0.1458 + 0.0019),
        row("segment", "gmlvq", "bfgs", math.inf, 0.0870 - 0.0021),
        row("segment", "glvq", "tight", 0.75, 0.4793 - 0.0780),
        row("segment", "glvq", "tight", 1.5, 0.1792 + 0.0151),
        row("segment", "glvq", "projected", 0.75, 0.1),
        row("segment", "glvq", "projected", 1.5, 0.1792 + 0.0077),
    ]
    found = table1.verdicts(table1.cells(rows))
    assert found == {"bfgs": (1, 2), "tight": (1, 2), "projected": (1, 2)}


def test_the_page_holds_the_means_of_the_rows(wanted, tmp_path):
    text = table1.page(wanted, table1.read(SEEDS))
    errors = [r["error"] for r in wanted if (r["model"], r["epsilon"]) == ("gmlvq", 1.5)]
    assert f"{np.mean(errors):.4f} ({np.std(errors):.4f})" in text
    assert "0.1745 (0.0205)" in text
    table1.write(wanted, tmp_path / "t.csv")
    assert main(["table1-page", "--results", str(tmp_path / "t.csv"), "--seeds", str(SEEDS),
                 "--out", str(tmp_path / "t.md")]) == 0  # fmt: skip
    assert (tmp_path / "t.md").read_text("utf-8") == text


def test_the_committed_page_is_made_from_the_committed_rows():
    docs = ROOT / "docs"
    assert (docs / "table1.md").read_text("utf-8") == table1.page(
        table1.read(docs / "table1.csv"), table1.read(docs / "table1_seeds.csv")
    )


def test_the_clock_learns_how_long_each_kind_takes(folder):
    todo = table1.tasks(quick(folder, n_repeats=5, n_folds=5))
    clock = Clock(todo, n_jobs=2)
    for task in todo[:20]:
        clock.finished(task.key, 3.0)
    assert clock.seconds_left() == pytest.approx(80 * 3 / 2)
    assert clock.line().startswith("  20/100  2:00 left")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "t.txt"], "ends in .csv"),
        (["--out", "t.csv", "--repeats", "0"], "n_repeats=0"),
        (["--out", "t.csv", "--backend", "dask"], "address of a scheduler"),
    ],
)
def test_what_cannot_begin_is_refused_in_a_sentence(words, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["table1", *words]) == 2
    assert message in capsys.readouterr().err


def test_on_segment_the_first_fold_has_the_published_errors(data_dir):
    # Three runs of one fold each: the paper's deviations are of one run, a wrong protocol is off
    # by ten of them (0.48 projected, 0.20 without the start's noise).
    rows = table1.run_task(
        table1.Task(data="segment", model="glvq", name="tight", recipe=table1.RECIPES["tight"],
                    repeat=0, fold=0, seed=1, data_dir=str(data_dir))
    )  # fmt: skip
    for found, (mean, spread) in zip(
        rows, (table1.PRINTED["segment", "glvq"][e] for e in EPSILONS), strict=True
    ):
        assert abs(found["error"] - mean) < 5 * spread
