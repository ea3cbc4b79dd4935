"""Every printed formula has its verdict and a number, and the numbers are those that were computed elsewhere."""

import math
from pathlib import Path

import pytest

from dpcore.experiments.formulas import DOCUMENTS, NOTE, VERDICTS, entries

FORMULAS = Path(__file__).resolve().parents[3] / "assets" / "formulas"
COUNTS = {"0": 26, "1": 18, "2": 21, "3": 30, "4": 12}
WRONG = {
    "0.9", "0.23", "1.3", "1.17", "2.2", "2.3", "2.10", "2.11", "2.12", "2.14", "2.16", "2.17", "2.18", "2.19",
    "3.20", "3.22", "3.26", "4.8",
}  # fmt: skip
LOOSE = {"0.13", "0.17", "1.9", "2.5", "2.7", "2.8", "3.18", "3.19", "4.2", "4.4", "4.7"}
NOTES = {"1.4", "3.11", "3.13", "4.9"}
# (id, where the slider stands): (printed, right); None where nothing is printed. From the audit of the
# documents with dp-accounting, prv-accountant and closed forms.
ORACLES = {
    ("0.24", 2): (-1 / 3, -1 / 3), ("0.25", 16): (64, 64), ("0.26", 0.5): (0.5, 0.5), ("1.11", 1): (None, 0),
    ("1.12", 10): (1, 1), ("1.13", 1): (None, 0.5), ("1.14", 1): (None, 7 / 9), ("1.15", 1): (1, 1),
    ("1.16", 1): (0.5, 0.5), ("1.17", 32): (None, -0.02692), ("1.18", 2): (None, 4 / 27), ("2.20", 2): (2e-5, 2e-5),
    ("2.21", 1): (1, 1), ("3.29", 1): (7, 7), ("3.30", 1): (1e-5, 4.114e-8), ("4.11", 1): (math.e, math.e),
    ("4.12", 1): (1e-5, 1e-5),
    ("0.1", 1): (1, 2), ("0.2", 1): (2.71828e-6, 1.271828e-5), ("0.3", 100): (10, 10),
    ("0.4", 1): (None, 1.6120e-4), ("0.5", 0.5): (2, 2), ("0.6", 0.6): (0.6, 0.6495),
    ("0.6", 1.2): (1.2, 1.478), ("0.6", 2): (2, 3.046), ("0.7", 140): (0.338, 0.0286),
    ("0.8", 0.6): (None, 1 / 127.96), ("0.9", 2): (2, 4.8304), ("0.10", 0.01): (5000, 5000),
    ("0.11", 1): (1, 2), ("0.12", 16): (16, 32),
    ("0.13", 16): (32 / 0.15, 17 / 0.15), ("0.14", 50): (None, 0.011759), ("0.15", 3): (1, 0),
    ("0.16", 140): (4.0, 0.0286), ("0.17", 0.75): (0.75, 0.4168), ("0.17", 1.5): (1.5, 0.8856),
    ("0.17", 2.5): (2.5, 1.5738), ("0.18", 0.5): (0.5, 0.5), ("0.19", 0.01): (None, 3.99877),
    ("0.19", 0.05): (None, 3.99877), ("0.20", 1): (1.2, 0.6495), ("0.20", 20): (1.2, 3.408),
    ("0.21", 0.025): (0.025, 0.158114), ("0.22", 1000): (0, 1.4), ("0.23", 1000): (0, 9),
    ("1.1", 10): (1, 1), ("1.2", 784): (1, 784), ("1.2", 13): (1, 13), ("1.3", 1): (0.99999, 0.959517),
    ("1.3", 3): (0.33333, 0.234821), ("1.3", 10): (0.1, 0.006738), ("1.4", 1e-5): (None, 470.4),
    ("1.5", 1): (1, 784), ("1.6", 3): (1, 4), ("1.7", 1): (1, 0.231970), ("1.8", 1): (4.844805, 3.730632),
    ("1.9", 1): (4.596, 4.2018), ("1.9", 2): (1.6131, 1.4774), ("1.9", 4): (0.71235, 0.6492),
    ("1.10", 30): (math.inf, 2.034),
    ("2.1", 1): (None, 2), ("2.2", 1e-5): (None, 0.6), ("2.3", 1): (1e-5, 1.6120e-4),
    ("2.4", 1000): (None, 0.001), ("2.5", 1): (1, 0.750977), ("2.5", 10): (10, 10.393882),
    ("2.5", 20): (20, 25.442611), ("2.6", 0.8): (0.8, 0.5885), ("2.6", 1.6): (1.6, 1.2581),
    ("2.6", 2.4): (2.4, 1.9725), ("2.6", 4): (4, 3.5112), ("2.6", 8): (8, 7.9144), ("2.7", 0.8): (12.11, 6.4669),
    ("2.8", 1): (2, 1), ("2.9", 1): (0.8, 0.5885), ("2.10", 1): (0.8, 4.37718), ("2.11", 30): (0.8, 32.6),
    ("2.12", 1): (1, 0), ("2.13", 5): (1, 1), ("2.14", 10): (0.8, 2.092),
    ("2.15", 0.25): (1, 1), ("2.16", 0.8): (0.980862, 769 / 784), ("2.17", 0.8): (None, 0.05891),
    ("2.17", 3.2): (None, -0.00843), ("2.18", 4): (None, -0.0167), ("2.19", 1): (1, 1),
    ("3.1", 2): (math.exp(2), math.exp(2)), ("3.2", 2): (1e-5, 3.71828e-5), ("3.2", 10): (1e-5, 0.128),
    ("3.3", 5): (5, 5), ("3.4", 4): (200, 200), ("3.5", 1000): (0.001, 0.001), ("3.6", 3): (None, 0.0498),
    ("3.7", 10000): (1.41421, 141.42), ("3.8", 1e-5): (None, 1), ("3.9", 1): (4.844805, 3.730632),
    ("3.9", 8): (0.605601, 0.600229), ("3.9", 10): (0.484481, 0.499889), ("3.10", 2): (2e-5, 2e-5),
    ("3.11", 25): (1, 5), ("3.12", 5): (1, 1), ("3.13", 1): (0, 2), ("3.13", 2): (1.41421, 1.41421),
    ("3.14", 1): (1.41421, 3.730632), ("3.15", 1): (11.736, 6.959), ("3.16", 10000): (None, 100),
    ("3.17", 0.05): (0.1, 0.1), ("3.18", 50): (0.8, 0.4), ("3.19", 1): (0.8 * 4.844805, 0.4 * 3.730632),
    ("3.20", 1): (4.37718, 9.99726), ("3.20", 2): (1.99309, 4.37718), ("3.21", 1): (1, 0.750977),
    ("3.22", 1): (0.01, 0.0111285), ("3.22", 0.75): (0.0075, 0.00728), ("3.28", 2): (8, 8),
    ("3.23", 4): (2.828, 2.9988), ("3.23", 8): (5.657, 15.17),
    ("3.23", 1): (0.707, 0.522), ("3.24", 1): (0.0170369, 0.0170369), ("3.25", 2): (0.04, 0.06193),
    ("3.26", 2): (1, 0.566219), ("3.26", 1000): (1, 1.99363), ("3.27", 4096): (None, 1 / 4096),
    ("4.1", 100): (None, 0.01), ("4.2", 25): (4.20186, 0.50504), ("4.2", 100): (4.20186, 0.23476),
    ("4.2", 400): (4.20186, 0.10979), ("4.3", 13): (120, 119), ("4.4", 1): (8, 4), ("4.4", 2): (18, 9),
    ("4.4", 3): (32, 16), ("4.5", 1): (8, 8), ("4.5", 3): (16, 16), ("4.6", 13): (0.5, 0.85313),
    ("4.7", 13): (448, 119), ("4.8", 1): (2.71828, 0.367879), ("4.9", 1): (1, 2), ("4.10", 1): (1, 1),
}  # fmt: skip
FOUND = {entry.id: entry for entry in entries(FORMULAS)}


def test_every_formula_of_the_audit_is_there_once_with_its_verdict():
    assert [entry.id for entry in entries(FORMULAS)] == [
        f"{document}.{k}" for document, n in COUNTS.items() for k in range(1, n + 1)
    ]
    assert set(DOCUMENTS) == set(COUNTS)
    assert {entry.verdict for entry in entries(FORMULAS)} == {*VERDICTS, NOTE}
    assert {entry.id for entry in entries(FORMULAS) if entry.verdict == NOTE} == NOTES
    assert {entry.id for entry in entries(FORMULAS) if entry.verdict == "wrong"} == WRONG
    assert {entry.id for entry in entries(FORMULAS) if entry.verdict == "loose"} == LOOSE


def test_every_formula_has_a_number_that_is_known_from_elsewhere():
    assert {id for id, _ in ORACLES} == set(FOUND)


@pytest.mark.parametrize("document", COUNTS)
def test_the_numbers_are_those_that_were_computed_elsewhere(document):
    for (id, at), wanted in ORACLES.items():
        if not id.startswith(f"{document}."):
            continue
        number = FOUND[id].number
        assert any(math.isclose(at, place) for place in number.grid), (id, at)
        assert number.start in number.grid
        found = number.printed(at) if number.printed else None, number.right(at)
        for value, oracle in zip(found, wanted, strict=True):
            assert value == (
                # A table's ε is up to 1 % above the account.
                oracle if oracle is None else pytest.approx(oracle, rel=1e-2, abs=1e-9)
            ), (id, at)


def test_a_formula_that_is_called_wrong_or_loose_differs_somewhere():
    # Words and tables, and what a single number along a line does not show.
    same = {"1.17", "2.2", "2.16", "2.17", "2.18", "2.19", "4.7"}
    for entry in entries(FORMULAS):
        if entry.verdict in ("wrong", "loose") and entry.id not in same:
            number = entry.number
            assert number.printed is not None, entry.id
            assert any(
                not math.isclose(number.printed(x), number.right(x), rel_tol=1e-3)
                for x in number.grid
            ), entry.id
