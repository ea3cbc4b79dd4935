"""Codes cannot be mixed up, and not be guessed at a useful rate."""

import pytest

from ui.classroom import codes
from ui.classroom.codes import ALPHABET, LENGTH, Attempts
from ui.classroom.limits import networks


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
    assert tried <= 200 + 2 * 3600 + 20 * (10 + 60)
    assert 100 * tried / len(ALPHABET) ** LENGTH < 0.04  # of an hour, with a hundred rooms open


def test_a_flood_of_other_networks_leaves_a_class_its_tries():
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    for second in range(60):
        now[0] += 1
        for address in range(500):  # far more than all networks may try
            if attempts.may_try(f"10.0.{address // 200}.{address % 200}"):
                attempts.was_wrong(f"10.0.{address // 200}.{address % 200}")
        assert attempts.may_try("192.0.2.1"), "a class that joins"
        if second % 20 == 0:
            attempts.was_wrong("192.0.2.1")  # somebody mistypes


def test_a_visitor_with_all_addresses_of_a_network_is_one():
    attempts = Attempts(lambda: 0.0)
    tried = 0
    while attempts.may_try(f"2001:db8::{tried:x}"):
        attempts.was_wrong(f"2001:db8::{tried:x}")
        tried += 1
    assert tried == 40
    assert attempts.may_try("2001:db8:0:1::1")


def test_a_site_with_65536_networks_has_the_tries_of_two():
    attempts = Attempts(lambda: 0.0)
    tried = 0
    for k in range(1000):
        if attempts.may_try(f"2001:db8:0:{k:x}::1"):
            attempts.was_wrong(f"2001:db8:0:{k:x}::1")
            tried += 1
    assert tried == 80
    assert attempts.may_try("2001:db8:1::1")


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("192.0.2.1", {"192.0.2.1": 1}),
        ("::ffff:192.0.2.1", {"192.0.2.1": 1}),
        ("2001:db8:1:2:3::4", {"2001:db8:1:2::/64": 1, "2001:db8:1::/48": 2}),
        ("fe80::1%eth0", {"fe80::/64": 1, "fe80::/48": 2}),
        ("phone", {"phone": 1}),
        ("", {"": 1}),
        ("x" * 1000, {"x" * 64: 1}),
    ],
)
def test_the_networks_of_an_address(address, found):
    assert networks(address) == found


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
