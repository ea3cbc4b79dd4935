"""Every registered claim is attacked in `make test` too, in as many trainings as there is time for."""

import pytest

from dpcore.audit import registry
from dpcore.audit.plan import Plan
from dpcore.audit.run import audit_one

EVERY = registry.all_worlds()
PLAN = Plan(trainings=210, many=1, seed=20, false_alarms=5e-7, claims=len(EVERY))


def test_every_private_part_has_worlds():
    assert len(EVERY) >= 40
    for module in registry.MODULES:
        assert __import__(module, fromlist=["WORLDS"]).WORLDS, module
    for one in EVERY:
        assert "add_remove" in one.neighbours or "replace_one" in one.neighbours, one.name
        assert one.claim().status in ("proved", "proved_under_assumption"), one.name
        assert one.canary, one.name
        assert one.score, one.name


def attacked(one):
    """Mark the attack on the convolutional network, whose trainings take as long as those of thirty other claims."""
    marks = [pytest.mark.thorough] if one.name.startswith("convolutional network") else []
    return pytest.param(one, id=one.name, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("worlds", [attacked(one) for one in EVERY])
def test_no_claim_is_broken(worlds):
    """All true claims together are called broken with a chance of at most 5e-7.

    With 210 trainings a world at that confidence no claim above 2.4 can be refuted: the whole audit
    (``make audit``) is for those.
    """
    found = audit_one(worlds, PLAN)
    assert found.strict.ceiling > 2.2
    assert not found.broken, found.row()
