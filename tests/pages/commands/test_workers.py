"""Tasks of commands on the workers of a Dask scheduler: what they share with the command, and a killed worker."""

import os
import signal
import time

import pytest

from dpcore.journal import Refused
from pages.commands import workers
from pages.commands.workers import Workers
from tests.pages.commands import prepared_work
from tests.pages.commands.prepared_work import prepare

distributed = pytest.importorskip("distributed", reason="Dask is optional and not installed")


def work_and_fall(folder, number, fatal):
    """Write a file; the first call with the fatal number kills its process before."""
    note = folder / f"started-{number}"
    first = not note.exists()
    note.touch()
    if number == fatal and first:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.02)
    (folder / f"done-{number}").touch()
    return 10 * number


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        dashboard_address=":0",
        protocol="tcp://",
    ) as cluster:
        yield cluster.scheduler_address


def on(scheduler, folder):
    return Workers(jobs=1, scheduler=scheduler, folder=folder, environment={"SEEN": "by a worker"})


def environment_of(name):
    return os.environ[name]


def test_results_come_with_their_places_and_tasks_see_the_environment(
    cluster, tmp_path, monkeypatch
):
    monkeypatch.setenv("SEEN", "")
    elsewhere = on(cluster, tmp_path)
    assert elsewhere.are_elsewhere
    assert dict(elsewhere.run(work_and_fall, [(tmp_path, k, None) for k in range(3)])) == {
        0: 0, 1: 10, 2: 20,
    }  # fmt: skip
    assert list(elsewhere.run(environment_of, [("SEEN",)])) == [(0, "by a worker")]
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == set()


def test_a_worker_with_another_program_is_refused(cluster, tmp_path, monkeypatch):
    digests = iter(["the command's", "the worker's"])
    monkeypatch.setattr(workers, "digest", lambda: next(digests))
    with pytest.raises(Refused, match="another program"):
        list(on(cluster, tmp_path).run(environment_of, [("HOME",)]))


def test_a_worker_without_the_folder_is_refused(tmp_path):
    settings = workers._Settings("", tmp_path / "elsewhere" / "marker", {})
    with pytest.raises(Refused, match="does not see the folder"):
        workers._checked(settings, environment_of, ("HOME",))


@pytest.mark.parametrize("address", ["localhost:8786", "http://localhost:8786", ""])
def test_an_address_of_another_kind_is_refused(address, capsys):
    assert prepare("--scheduler", address) == 2
    assert "give an address like tcp://host:8786" in capsys.readouterr().err


def test_a_scheduler_that_does_not_answer_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_SECONDS", 0.2)
    with pytest.raises(Refused, match=r"tcp://127\.0\.0\.1:9: no scheduler answers there"):
        list(on("tcp://127.0.0.1:9", tmp_path).run(environment_of, [("HOME",)]))


def test_prepare_stores_what_workers_compute(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MADE", str(tmp_path / "made"))
    assert prepare("--scheduler", cluster) == 0
    assert all(task.is_there() for task in prepared_work.work())
    assert len((tmp_path / "made").read_text().split("\n")) == 5
    assert prepare("--scheduler", cluster) == 0  # nothing is left to compute
    assert len((tmp_path / "made").read_text().split("\n")) == 5


@pytest.mark.thorough
def test_a_killed_worker_costs_the_task_that_it_had(tmp_path):
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as cluster:
        elsewhere = on(cluster.scheduler_address, tmp_path)
        results = dict(elsewhere.run(work_and_fall, [(tmp_path, k, 3) for k in range(12)]))
    assert results == {k: 10 * k for k in range(12)}
    assert len(list(tmp_path.glob("done-*"))) == 12
