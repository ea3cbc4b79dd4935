"""Codes cannot be mixed up, and not be guessed at a useful rate."""

import pytest

from ui.classroom import codes
from ui.classroom.codes import ALPHABET, LENGTH, Attempts


def test_codes_have_five_signs_that_nobody_mixes_up():
    found = {codes.draw() for _ in range(200)}
    assert len(found) > 190
    assert all(len(code) == LENGTH and set(code) <= set(ALPHABET) for code in found)
    assert not set("01OIL") & set(ALPHABET)
    assert len(set(ALPHABET)) == len(ALPHABET) == 30


@pytest.mark.parametrize(
    ("typed", "code"),
    [("ab2cd", "AB2CD"), (" AB2 CD ", "AB2CD"), ("AB2C", ""), ("AB0CD", ""), ("é" * 5, ""),
     (None, ""), (12345, ""), ("A" * 10_000, ""), (["A"], "")],
)  # fmt: skip
def test_what_is_typed_is_read_kindly(typed, code):
    assert codes.read(typed) == code


def test_wrong_codes_are_held_to_a_rate_of_one_address_and_of_all_together():
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    tried = 0
    for _ in range(3600):  # an hour, a try a second from each of 20 addresses
        now[0] += 1
        for address in range(20):
            if attempts.may_try(f"{address}"):
                attempts.was_wrong(f"{address}")
                tried += 1
    assert tried <= 200 + 2 * 3600
    assert 100 * tried / len(ALPHABET) ** LENGTH < 0.04  # of an hour, with a hundred rooms open


def test_one_address_does_not_use_up_what_others_have():
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    tried = 0
    while attempts.may_try("one"):
        attempts.was_wrong("one")
        tried += 1
    assert tried == 40
    assert attempts.may_try("another")
    now[0] += 2
    assert attempts.may_try("one")
