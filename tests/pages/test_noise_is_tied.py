"""Every page's card is tied to the noise that the page draws: half of the noise does not pass for it."""

from contextlib import ExitStack
from functools import cache

import pytest

from dpcore.audit.sabotage.patches import HALVES
from pages import audit_claims, specs
from pages.audit_claims import drawn_by, pages_that_claim, reason, states

PAGES = pages_that_claim()
SPECS = {spec.key: spec for spec in specs()}


@pytest.mark.parametrize("key", PAGES)
def test_every_page_with_a_card_says_what_it_draws(key):
    """A new page gets this without asking: without a module ``drawn`` beside its ``spec`` it fails here."""
    assert reason(key) is None or len(reason(key)) > 20


def test_a_page_that_says_nothing_is_told_what_to_do():
    with pytest.raises(LookupError, match="The page home shows a guarantee"):
        reason("home")  # it has no card, and no such module


@cache
def recalled():
    """What is remembered between calls would hide the bug, or keep it."""
    from dpcore.experiments.queries import repeats

    return (repeats._draws,)


def forget():
    for function in recalled():
        function.cache_clear()


def tied(key, some):
    seen = 0
    for params in some:
        forget()
        for one in drawn_by(key, params):
            found = one.check()
            assert found.holds, (params.to_link(), found)
            seen += 1
        with ExitStack() as stack:
            for half in HALVES:
                stack.enter_context(half.applied())
            forget()
            for one in drawn_by(key, params):
                found = one.check()
                assert not found.holds, ("half of the noise", params.to_link(), found)
        forget()
    return seen


OPEN = [key for key in PAGES if reason(key) is None]
QUICK = ("mechanisms", "queries", "descent", "kahm", "regression")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", [key for key in OPEN if key in QUICK])
def test_half_of_the_noise_does_not_pass(key):
    assert tied(key, states(SPECS[key].params, n_random=1)[:12]) > 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", OPEN)
def test_half_of_the_noise_does_not_pass_at_any_sampled_state(key):
    assert tied(key, states(SPECS[key].params, n_random=4)) > 0


def test_the_states_are_a_sample_of_all_controls():
    params = SPECS["mechanisms"].params
    some = states(params)
    assert some[0] == params()
    assert len(some) > 8
    for name, control in params.controls().items():
        if control.choices is not None and len(control.choices) > 1:
            assert len({getattr(one, name) for one in some}) > 1, name


def test_the_command_reads_the_list_of_pages(monkeypatch, capsys):
    monkeypatch.setattr(audit_claims, "states", lambda params: [params()])
    monkeypatch.setattr(audit_claims, "pages_that_claim", lambda: ["mechanisms", "budget"])
    assert audit_claims.main() == 0
    out = capsys.readouterr().out
    assert "1 claims beside their noise, 0 broken" in out
    monkeypatch.setattr(
        audit_claims, "drawn_by", lambda key, params: [_loud(one) for one in drawn_by(key, params)]
    )
    assert audit_claims.main() == 1


def _loud(one):
    from dataclasses import replace

    return replace(one, epsilon=one.promised.epsilon / 2)
