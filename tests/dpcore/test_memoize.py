"""What is remembered: computed once, also by many threads at once, within its bound."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dpcore import accounting
from dpcore._memoize import ACCOUNTS, Memo


def counted(memo):
    seen = []

    @memo.of
    def triple(x, *, more=0):
        seen.append(x)
        return 3 * x + more

    return triple, seen


def test_equal_arguments_are_computed_once_however_they_are_given():
    triple, seen = counted(Memo(max_entries=8))
    assert triple(2.0) == triple(x=2.0) == triple(np.float64(2.0), more=0) == 6.0
    assert seen == [2.0]
    assert triple(2.0, more=1) == 7.0
    assert seen == [2.0, 2.0]


def test_a_value_of_another_type_is_not_taken_for_an_equal_one():
    triple, seen = counted(Memo(max_entries=8))
    triple(1.0)
    triple(True)
    assert [type(x) for x in seen] == [float, bool]


def test_the_least_recently_asked_goes_first_and_the_bound_holds():
    memo = Memo(max_entries=2)
    triple, seen = counted(memo)
    for x in (1, 2, 1, 3, 1, 2):
        triple(x)
    assert seen == [1, 2, 3, 2]
    assert memo.info() == (6, 4, 2, 2)


def test_threads_that_ask_at_once_share_one_computation():
    memo, started, go = Memo(max_entries=8), threading.Event(), threading.Event()
    seen = []

    @memo.of
    def slow(x):
        seen.append(x)
        started.set()
        assert go.wait(30)
        return x + 1

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(slow, 1)
        assert started.wait(30)
        others = [pool.submit(slow, 1) for _ in range(7)]
        while memo.info().calls < 8:  # all of them wait by now
            threading.Event().wait(0.001)
        go.set()
        assert [one.result(30) for one in (first, *others)] == [2] * 8
    assert seen == [1]


def test_a_failure_reaches_everybody_and_is_not_kept():
    memo, started, go = Memo(max_entries=8), threading.Event(), threading.Event()
    wrong = [True]

    @memo.of
    def picky(x):
        if wrong:
            started.set()
            assert go.wait(30)
            raise ValueError(f"x={x} is not allowed")
        return x

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(picky, 5)
        assert started.wait(30)
        second = pool.submit(picky, 5)
        while memo.info().calls < 2:
            threading.Event().wait(0.001)
        go.set()
        for one in (first, second):
            with pytest.raises(ValueError, match="x=5 is not allowed"):
                one.result(30)
    assert memo.info().entries == 0
    wrong.clear()
    assert picky(5) == 5


def test_what_is_dropped_while_it_is_computed_still_answers():
    memo, started, go = Memo(max_entries=1), threading.Event(), threading.Event()

    @memo.of
    def slow(x):
        if x == 1:
            started.set()
            assert go.wait(30)
        return 10 * x

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(slow, 1)
        assert started.wait(30)
        assert slow(2) == 20
        go.set()
        assert first.result(30) == 10
    assert memo.info().entries == 1


def test_arguments_without_a_hash_are_left_to_the_body():
    triple, seen = counted(Memo(max_entries=8))
    with pytest.raises(TypeError):
        triple([1])  # a list times three and a number: the body's own complaint
    assert seen == [[1]]
    with pytest.raises(TypeError, match="unexpected"):
        triple(1, other=2)


def test_a_memo_without_room_is_refused():
    with pytest.raises(ValueError, match="max_entries=0"):
        Memo(max_entries=0)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: accounting.epsilon(
            noise_multiplier=1.37, sample_rate=0.01, n_steps=321, delta=1e-5, accountant="rdp"
        ),
        lambda: accounting.spent(accounting.GaussianEvent(3.21), 1e-5),
        lambda: accounting.noise_multiplier(
            1.37, 1e-5, sample_rate=0.01, n_steps=321, accountant="rdp"
        ),
        lambda: accounting.loss_tail(accounting.LaplaceEvent(1.37), 0.5),
        lambda: accounting.gaussian_tail(1.37, 1e-5),
        lambda: accounting.optimal(epsilon=0.137, n_steps=21, delta=1e-5),
    ],
)
def test_accountants_answer_the_second_time_without_computing(asked):
    first = asked()
    before = ACCOUNTS.info().computed
    assert asked() == first
    assert ACCOUNTS.info().computed == before


def test_a_remembered_number_does_not_let_a_wrong_type_pass():
    accounting.epsilon(
        noise_multiplier=1.0, sample_rate=0.01, n_steps=100, delta=1e-5, accountant="rdp"
    )
    with pytest.raises(ValueError, match="noise_multiplier=True"):
        accounting.epsilon(
            noise_multiplier=True, sample_rate=0.01, n_steps=100, delta=1e-5, accountant="rdp"
        )
