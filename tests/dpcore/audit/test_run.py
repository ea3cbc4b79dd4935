"""The runner: what it counts, that it can be killed, what it says and returns."""

import math
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from joblib import Parallel, delayed

from dpcore.__main__ import main
from dpcore.audit import Worlds, checks, command, registry
from dpcore.audit.contributions import Check
from dpcore.audit.findings import COLUMNS, as_csv, as_text, judge
from dpcore.audit.plan import Plan, chunks, release_seconds
from dpcore.audit.run import audit, audit_one, chunk_scores
from dpcore.guarantee import Guarantee
from dpcore.journal import Refused


def claim(epsilon=1.0, status="proved"):
    return Guarantee(
        epsilon=epsilon, delta=0.0, neighbouring="add_remove", status=status, argument="a test"
    )


def laplace(name="good", scale=1.0, *, status="proved", threshold=0.5, **changes):
    fields = {
        "name": name, "neighbours": "a count of 0 and of 1", "canary": "the one",
        "score": "the noisy count", "claim": lambda: claim(status=status),
        "release": lambda canary, rng: float(canary) + rng.laplace(0, scale),
        "threshold": threshold,
    }  # fmt: skip
    return Worlds(**(fields | changes))


@pytest.fixture
def registered(monkeypatch):
    def register(*every):
        monkeypatch.setattr(command, "all_worlds", lambda: every)
        monkeypatch.setattr(registry, "all_worlds", lambda: every)

    return register


def test_too_little_noise_is_found_and_enough_is_not():
    # Of ten true claims at this level none is refuted, but for a chance of 1e-7 each.
    plan = Plan(trainings=200, false_alarms=1e-6, claims=10)
    for chosen in (0.5, None):
        assert audit_one(laplace(threshold=chosen), plan).verdict == "holds"
        wrong = audit_one(laplace(scale=0.25, threshold=chosen), plan)
        assert wrong.verdict == "BROKEN"
        assert wrong.broken
        assert wrong.strict.epsilon_lower < wrong.bound.epsilon_lower < wrong.bound.ceiling
        assert wrong.bound.n == 2000  # ten times as many of quick ones


@pytest.mark.parametrize(
    ("status", "scale", "verdict"),
    [
        ("proved", 1.0, "holds"),
        ("proved", 0.1, "BROKEN"),
        ("proved_under_assumption", 0.1, "BROKEN"),
        ("nominal", 1.0, "nominal"),
        ("nominal", 0.1, "nominal (exceeded)"),
    ],
)
def test_verdicts(status, scale, verdict):
    found = audit_one(laplace(scale=scale, status=status), Plan(trainings=100))
    assert found.verdict == verdict
    assert found.broken == (verdict == "BROKEN")


def test_a_claim_above_the_ceiling_is_not_said_to_hold():
    few = judge("few", claim(8.0), 0, 0, 100, strict=0.95)
    assert few.verdict == "out of reach"
    assert judge("many", claim(8.0), 5000, 5000, 20_000, strict=0.95).verdict == "holds"
    none = judge("none", claim(math.inf, "nominal"), 0, 0, 100, strict=0.95)
    assert none.verdict == "nominal"


def test_thresholds_are_chosen_on_other_noise_than_is_counted():
    seen = []

    def release(canary, rng):
        seen.append((canary, float(rng.random())))
        return seen[-1][1] + canary

    worlds = laplace(release=release, threshold=None)
    plan = Plan(trainings=30, many=1)
    audit_one(worlds, plan)
    draws = [draw for _, draw in seen][7:]  # seven to see how long one takes
    assert len(set(draws)) == len(draws) == 2 * (30 + 15)
    assert [c.use for c in chunks(laplace(), plan, 30)] == ["count"] * 4
    uses = [c.use for c in chunks(laplace(gaussian=True), plan, 30)]
    assert uses == ["choose"] * 2 + ["count"] * 4  # the threshold of theory suits the other bound


def test_a_chunk_is_the_same_wherever_it_is_run():
    worlds = laplace()
    first, second = chunks(worlds, Plan(trainings=30), 30)[:2]
    assert first.canary is not second.canary
    assert chunk_scores(worlds, first, 1) == chunk_scores(worlds, first, 1)
    assert chunk_scores(worlds, first, 1) != chunk_scores(worlds, first, 2)
    renamed = first._replace(name="other")
    assert chunk_scores(worlds, first, 1) != chunk_scores(worlds, renamed, 1)


def test_a_killed_run_goes_on(tmp_path, monkeypatch):
    plan, kept = Plan(trainings=100, many=1), tmp_path / "a.csv.journal"
    calls = []

    def release(canary, rng):
        calls.append(canary)
        if len(calls) == 137:
            raise KeyboardInterrupt
        return canary + rng.laplace()

    worlds = laplace(release=release)
    with pytest.raises(KeyboardInterrupt):
        list(audit([worlds], plan, journal=kept))
    (found,) = audit([worlds], plan, journal=kept)
    assert len(calls) == 137 + 200 - 120  # timed once; six chunks of twenty were whole
    assert found == audit_one(worlds, plan)
    assert found == next(audit([worlds], plan, journal=kept))  # all of it from the journal
    with pytest.raises(Refused, match="other settings"):
        list(audit([worlds], Plan(trainings=101, many=1), journal=kept))
    monkeypatch.setattr("dpcore.audit.plan.source_digest", lambda: "other code")
    with pytest.raises(Refused, match="another version"):
        list(audit([worlds], plan, journal=kept))


_KILLED = """
import sys
from pathlib import Path
from dpcore.audit.registry import find_worlds
from dpcore.audit.findings import as_csv
from dpcore.audit.run import Plan, audit

plan, kept = Plan(trainings=40, many=50), Path(sys.argv[1])
found = list(audit(find_worlds(["laplace, add", "ClassGaussians, stat"]), plan, journal=kept))
print(as_csv(sorted(found, key=lambda one: one.name)), end="")
"""


@pytest.mark.thorough
def test_a_run_that_is_killed_and_started_again_finds_what_an_unbroken_one_does(tmp_path):
    kept = tmp_path / "killed.journal"
    words = [sys.executable, "-c", _KILLED]
    with subprocess.Popen([*words, kept], stdout=subprocess.PIPE) as run:
        limit = time.monotonic() + 120
        while _lines(kept) < 4 and run.poll() is None and time.monotonic() < limit:
            time.sleep(0.002)
        run.send_signal(signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL  # before it was done
    before = kept.read_bytes()
    assert before.count(b"\n") >= 4  # settings, two sizes, and a chunk at least
    kept.write_bytes(before + b'{"key": "cut sho')
    again, whole = (
        subprocess.run([*words, path], capture_output=True, text=True, check=True).stdout
        for path in (kept, tmp_path / "unbroken.journal")
    )
    assert again == whole
    assert "ClassGaussians" in whole
    assert kept.read_bytes().startswith(before[: before.rindex(b"\n") + 1])


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_how_often_is_measured_once_and_kept(tmp_path, monkeypatch):
    kept, seconds = tmp_path / "a.journal", [0.004]
    monkeypatch.setattr("dpcore.audit.run.release_seconds", lambda worlds: seconds[0])
    plan = Plan(trainings=50)
    (quick,) = audit([laplace()], plan, journal=kept)
    assert quick.bound.n == 500
    seconds[0] = 0.006
    assert next(audit([laplace()], plan, journal=kept)) == quick
    (slow,) = audit([laplace()], plan)
    assert slow.bound.n == 50


def test_a_release_that_waits_for_a_compiler_once_is_quick():
    spent = []

    def release(canary, rng):
        until = time.process_time() + (0.02 if len(spent) < 2 else 0.0)
        spent.append(canary)
        while time.process_time() < until:
            pass
        return float(canary)

    assert release_seconds(laplace(release=release)) < 5e-3
    assert {True, False} == set(spent)


def gaussian(scale=1.0, **changes):
    return laplace(
        release=lambda canary, rng: float(canary) + rng.normal(0, scale), gaussian=True, **changes
    )


def test_gaussian_noise_is_judged_by_the_stronger_of_two_bounds():
    # μ = 1 is ε = 4.377 at δ = 1e-5.
    def of_epsilon(epsilon):
        return lambda: replace(claim(epsilon), delta=1e-5)

    plan = Plan(trainings=1000, claims=10)
    found = audit_one(gaussian(claim=of_epsilon(4.378)), plan)
    assert found.verdict == "holds"
    assert 0.8 * 4.378 < found.gaussian.epsilon_lower < 4.378
    assert found.bound.epsilon_lower < 0.5 * 4.378
    assert found.demonstrated == found.gaussian_strict.epsilon_lower < found.gaussian.epsilon_lower
    assert found.ceiling == found.gaussian.ceiling
    assert found.bound.k0 < found.gaussian.k0  # each has a threshold of its own
    too_little = audit_one(gaussian(claim=of_epsilon(3.0)), plan)
    assert too_little.broken
    assert not too_little.strict.refutes(3.0)
    # Each of the two has half of the chance of a false alarm.
    assert found.strict.confidence == found.gaussian_strict.confidence
    assert 1 - found.strict.confidence == pytest.approx((1 - plan.strict) / 2)
    assert audit_one(laplace(), plan).row()["gaussian"] == ""


def test_processes_find_the_same(tmp_path):
    plan = Plan(trainings=100, many=1)
    every = [laplace(), laplace("loud", 0.2)]
    one = {f.name: f.row() for f in audit(every, plan)}
    told = []
    two = {f.name: f.row() for f in audit(every, plan, n_jobs=2, tell=told.append)}
    assert one == two
    assert len(told) == 20
    assert told[-1].split()[0] == "20/20"


def test_processes_can_be_sent_every_audit():
    # Closures can be sent, functions cached inside functions cannot.
    every = registry.all_worlds()
    sent = Parallel(n_jobs=2)(delayed(_name)(worlds) for worlds in every)
    assert sent == [worlds.name for worlds in every]


def _name(worlds):
    return worlds.name


def test_a_score_has_to_be_a_number():
    with pytest.raises(ValueError, match="not a number"):
        audit_one(laplace(release=lambda canary, rng: math.nan), Plan(trainings=4))


def test_the_table():
    found = [audit_one(laplace(), Plan(trainings=10)), audit_one(laplace("b", 0.1), Plan())]
    lines = as_text(found).splitlines()
    assert len(lines) == 4
    assert len({len(line) for line in lines}) == 1
    assert [cell.strip() for cell in lines[0].strip("|").split("|")] == list(COLUMNS)
    rows = as_csv(found).splitlines()
    assert rows[0] == ",".join(COLUMNS)
    assert float(rows[2].split(",")[COLUMNS.index("bound")]) == found[1].bound.epsilon_lower


def test_the_command(tmp_path, capsys, registered):
    registered(
        laplace("a good one"), laplace("a bad one", 0.1), laplace("a bet", 0.1, status="nominal")
    )
    out = tmp_path / "found.csv"
    assert main(["audit", "--trainings", "50", "--out", str(out)]) == 1
    printed, progress = capsys.readouterr()
    assert "BROKEN" in printed
    assert "ceiling" in printed
    assert "6/6" in progress
    assert [line.rsplit(",", 1)[1] for line in out.read_text().splitlines()[1:]] == [
        "holds", "BROKEN", "nominal (exceeded)",
    ]  # fmt: skip
    assert main(["audit", "good", "BET", "--trainings", "50", "--out", str(tmp_path / "b.md")]) == 0
    assert (tmp_path / "b.md").read_text().startswith("| name")
    capsys.readouterr()
    assert main(["audit", "--list"]) == 0
    assert "a count of 0 and of 1" in capsys.readouterr().out


def claimed(epsilon=1.0):
    return replace(claim(epsilon), delta=1e-5)


def counted(name, k0, k1, *, claims, epsilon=1.0, gaussian=None):
    """Return the finding of an attack with these errors of 10,000, judged as one of ``claims`` claims."""
    strict = Plan(claims=claims).strict
    return judge(name, claimed(epsilon), k0, k1, 10_000, strict=strict, gaussian=gaussian)


def test_stored_counts_are_judged_over_all_claims_of_today(tmp_path, capsys, registered):
    # A false alarm in 1,000 is allowed one claim alone, but not one of three.
    errors = next(k for k in range(3000) if not counted("odd", k, k, claims=1).broken) - 1
    assert not counted("odd", errors, errors, claims=3).broken
    known = ("odd", errors, errors), ("even", 4000, 4000), ("gaussian", 4000, 4000)
    gaussian = {"gaussian": (4900, 4900)}
    stored, judged = tmp_path / "last.csv", tmp_path / "judged.csv"
    stored.write_text(
        as_csv([counted(*one, claims=1, gaussian=gaussian.get(one[0])) for one in known])
    )
    registered(*(laplace(name, claim=claimed) for name, *_ in known))
    assert main(["audit", "--judge", str(stored), "--out", str(judged)]) == 0
    printed = capsys.readouterr().out
    assert "odd: 'BROKEN' is now 'holds'" in printed
    assert "3 claims: 1 verdicts and 3 strict bounds" in printed
    today = [counted(*one, claims=3, gaussian=gaussian.get(one[0])) for one in known]
    assert judged.read_text() == as_csv(today)
    assert main(["audit", "--judge", str(judged)]) == 0
    assert "3 claims: 0 verdicts and 0 strict bounds" in capsys.readouterr().out
    registered(*(laplace(name, claim=lambda: claimed(0.5)) for name, *_ in known))
    assert main(["audit", "--judge", str(judged)]) == 1  # the counts refute a smaller claim
    assert "odd: 'holds' is now 'BROKEN', claimed 0.5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text.replace("good", "bad"), "'bad' is no claim of today: delete its row"),
        (lambda text: text.splitlines()[0] + "\n", "is no table of an audit"),
        (lambda text: text.replace("k0", "errors"), "is no table of an audit"),
        (
            lambda text: text.replace(",4000,4000", ",4000,many"),
            "row 'good': k1='many' is not allowed",
        ),
        (lambda text: text.replace(",,,", ",,3,"), "row 'good': g0='' is not allowed"),
        (
            lambda text: text.replace(",4000,4000", ",4000,40000"),
            "row 'good': k=40000 is not allowed",
        ),
    ],
)
def test_what_is_no_table_is_not_judged(change, sentence, tmp_path, capsys, registered):
    registered(laplace())
    file = tmp_path / "last.csv"
    text = as_csv([counted("good", 4000, 4000, claims=1)])
    file.write_text(change(text))
    assert main(["audit", "--judge", str(file)]) == 2
    assert sentence in capsys.readouterr().err
    file.write_text(text)
    registered(laplace(), laplace("new"))
    assert main(["audit", "--judge", str(file)]) == 2
    assert "has no row of 'new': attack it" in capsys.readouterr().err
    assert main(["audit", "--judge", str(tmp_path / "none.csv")]) == 2
    assert "none.csv cannot be read" in capsys.readouterr().err


def test_the_command_runs_the_checks(tmp_path, capsys, monkeypatch):
    found = [Check(name="a sum", declared=2.0, measured=1.0, holds=True)]
    monkeypatch.setattr(
        checks, "all_checks", lambda: [(one.name, lambda one=one: one) for one in found]
    )
    assert main(["audit", "--checks", "--out", str(tmp_path / "checks.md")]) == 0
    printed, progress = capsys.readouterr()
    assert "| a sum | 2 | 1 | holds |" in printed
    assert "a sum" in progress
    assert (tmp_path / "checks.md").read_text().startswith("| check")
    found.append(Check(name="another", declared=2.0, measured=3.0, holds=False))
    assert main(["audit", "--checks"]) == 1
    assert "2 checks, 1 broken" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["laplace", "--checks"], "'laplace' is not allowed with --checks"),
        (["laplace", "--judge", "last.csv"], "'laplace' is not allowed with --judge"),
        (["nothing of that name"], "'nothing of that name' is in no name"),
        (["--trainings", "3"], "trainings=3"),
        (["--jobs", "0"], "--jobs 0"),
        (["--seed", "-1"], "seed=-1"),
    ],
)
def test_the_command_refuses_with_a_sentence(words, sentence, capsys, registered):
    registered(laplace())
    assert main(["audit", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_names_are_unique(monkeypatch):
    monkeypatch.setattr(registry, "MODULES", ("dpcore.audit.registry", "dpcore.audit.registry"))
    monkeypatch.setattr(registry, "WORLDS", (laplace(),), raising=False)
    with pytest.raises(ValueError, match="good"):
        registry.all_worlds()


def test_the_command_starts_without_what_it_audits():
    code = "import sys, dpcore.audit.run, dpcore.audit.registry; print('dpcore.lvq' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )  # fmt: skip
    assert found.stdout.strip() == "False"


@pytest.mark.parametrize("change", [{"trainings": 0}, {"false_alarms": 0}, {"claims": 0}])
def test_a_plan_is_checked(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        Plan(**change)
    assert Plan(false_alarms=1e-3, claims=50).strict == pytest.approx(1 - 2e-5)
    assert np.isclose(1 - Plan(false_alarms=1e-6, claims=50).strict, 2e-8)
