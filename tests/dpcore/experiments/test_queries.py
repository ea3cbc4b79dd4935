"""Ways of asking: closed forms, brute force over neighbours, and numbers of the sheet of formulas."""

import itertools
import math

import numpy as np
import pytest

from dpcore import mechanisms as m
from dpcore.audit import two_worlds
from dpcore.experiments import queries
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.queries import QueriesParams, hit_rate
from dpcore.experiments.queries.answers import clearest_neighbour
from dpcore.experiments.queries.params import ANSWERS, GROUPS, NUMBERS
from dpcore.experiments.queries.sensitivity import reach
from dpcore.guarantee import Guarantee

ONE, TIGHT = EPSILON_GRID.index(1.0), DELTA_GRID.index(1e-5)
TOPICS = list(QueriesParams.controls()["topic"].choices)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 5.0])
def test_one_answer_gives_away_what_the_closed_form_says(epsilon):
    assert hit_rate(epsilon, 1) == pytest.approx((2 - math.exp(-epsilon / 2)) / 2, abs=1e-12)


def test_two_answers_agree_with_an_integral():
    # sup_S P(S) - P'(S) of two Laplace answers, by brute force over a grid of the plane.
    x = np.arange(-16, 17, 0.02) + 0.01
    p, q = (np.exp(-np.abs(x - at)) / 2 for at in (1.0, 0.0))
    both = np.maximum(np.outer(p, p) - np.outer(q, q), 0).sum() * 0.02**2
    assert hit_rate(1.0, 2, levels=256) == pytest.approx((1 + both) / 2, abs=1e-4)


@pytest.mark.parametrize("k", [5, 50])
def test_levels_lose_little_and_never_gain(k):
    coarse, fine = hit_rate(0.5, k), hit_rate(0.5, k, levels=128)
    assert coarse <= fine + 1e-12
    assert fine - coarse < 1e-3


def test_more_answers_give_away_more_and_never_more_than_their_epsilon():
    found = queries.again(QueriesParams())
    assert (np.diff(found.fresh, axis=1) >= -1e-12).all()
    bound = 1 / (1 + np.exp(-np.outer(EPSILON_GRID, ANSWERS)))
    assert (found.fresh <= bound + 1e-12).all()
    assert (found.shared <= found.fresh[:, :1] + 1e-12).all()


def test_the_mean_of_twenty_five_answers_of_a_divided_budget_is_five_times_worse():
    found = queries.again(QueriesParams())  # 3.11 of the sheet: √k
    for k, name in ((100, 10.0), (20, math.sqrt(20))):
        place = ANSWERS.index(k)
        assert found.error_shared[ONE, place] / found.error[ONE, 0] == pytest.approx(name)
        assert found.error[ONE, 0] / found.error[ONE, place] == pytest.approx(name)


def test_a_remembered_answer_is_the_same_and_costs_once():
    one = queries.Remembered(100.0, 0.5, np.random.default_rng(1))
    assert len({one.ask() for _ in range(50)}) == 1
    assert (
        len({queries.Remembered(1.0, 1.0, np.random.default_rng(s)).ask() for s in range(9)}) == 9
    )


def test_groups_as_the_sheet_has_them():
    found = queries.group(QueriesParams(noise="gaussian"))
    two, ten = GROUPS.index(2), GROUPS.index(10)
    assert found.epsilon[ONE, TIGHT, two] == pytest.approx(2.1547, abs=5e-5)
    assert found.rule_delta[ONE, TIGHT, two] == pytest.approx(3.71828e-5, rel=1e-5)
    assert found.rule_delta[ONE, TIGHT, ten] == pytest.approx(0.128, abs=5e-4)
    assert (found.delta <= found.rule_delta * (1 + 1e-9)).all()
    laplace = queries.group(QueriesParams(noise="laplace"))
    assert laplace.epsilon[:, 0] == pytest.approx(np.outer(EPSILON_GRID, GROUPS))


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_noise_for_a_group_gives_it_what_one_person_had(noise):
    wide = queries.for_group(noise, 1.0, 1e-5, 4)
    one = queries.for_one(noise, 1.0, 1e-5)
    assert wide.scale == pytest.approx(4 * one.scale)
    assert wide.delta_at(1.0) == pytest.approx(one.delta_at(1.0))
    assert wide.privacy.epsilon == pytest.approx(1.0)


@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
@pytest.mark.parametrize("query", queries.ASKED)
def test_sensitivities_are_the_worst_of_all_small_data_sets(query, relation):
    assert queries.worst_pair(query, relation)[0] == pytest.approx(reach(query, relation, 3))


@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
@pytest.mark.parametrize("shape", ["histogram", "vector"])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_norms_of_many_numbers_by_brute_force(shape, relation, k):
    records = (
        np.eye(k) if shape == "histogram" else np.array([*itertools.product((0, 1), repeat=k)])
    )
    moves = (
        records if relation == "add_remove" else (records[:, None] - records[None]).reshape(-1, k)
    )
    worst = np.abs(moves).sum(1).max(), np.sqrt(np.square(moves).sum(1)).max()
    assert queries.sensitivities(shape, k, relation) == pytest.approx(worst)


def test_gaussian_noise_is_smaller_from_seven_numbers_on():
    found = queries.numbers(QueriesParams(shape="vector"))
    assert found.crossing[ONE, TIGHT] == pytest.approx(6.959, abs=5e-4)
    smaller = found.gaussian[ONE, TIGHT] < found.laplace[ONE]
    assert smaller.tolist() == [k >= 7 for k in NUMBERS]
    assert not np.isfinite(queries.numbers(QueriesParams()).crossing).any()


@pytest.mark.parametrize(
    ("step", "clamp", "average"), [*itertools.product((0, 1, 5, 10), (True, False), (True, False))]
)
def test_processing_never_helps_an_attacker(step, clamp, average):
    found = queries.processing(QueriesParams(step=step, clamp=clamp, average=average))
    assert (found.hits <= found.hits_raw + 1e-9).all()
    assert (found.hits >= 0.5).all()
    times = 2 if average else 1
    each = [hit_rate(e / times, times, levels=128) for e in EPSILON_GRID[::10]]
    assert found.hits_raw[::10] == pytest.approx(each, abs=2e-5)
    assert (found.hits_raw[::10] >= np.array(each) - 1e-12).all()


def test_the_best_test_of_a_processed_answer_is_that_of_all_its_values():
    # Oracle: draw, process, and take the total variation of the values that come out.
    rng, n = np.random.default_rng(3), 400_000
    for step, average in ((10, False), (5, True)):
        noise = rng.laplace(size=(2, n)).sum(0) if average else rng.laplace(size=n)
        worlds = [queries.processed(at + noise, step=step, clamp=True) for at in (3.0, 2.0)]
        values = np.unique(np.concatenate(worlds))
        share = [np.array([(w == v).mean() for v in values]) for w in worlds]
        drawn_rate = 0.5 + 0.25 * np.abs(share[0] - share[1]).sum()
        found = queries.processing(QueriesParams(step=step, average=average)).hits[ONE]
        # A standard error is below 0.0008 a value; six of them, and few values matter.
        assert found == pytest.approx(drawn_rate, abs=0.006)


@pytest.mark.parametrize("monotone", [True, False])
def test_choices_cost_no_more_than_epsilon_and_laplace_agrees_with_draws(monotone):
    found = queries.choosing(QueriesParams(options="a 3, b 2, c 0", monotone=monotone))
    assert (found.shown <= np.array(EPSILON_GRID) * (1 + 1e-9)).all()
    assert found.chosen.sum(1) == pytest.approx(np.ones(50))
    scale = 1.0 if monotone else 2.0
    rng, scores = np.random.default_rng(4), np.array([3.0, 2, 0])
    best = (scores + scale * rng.laplace(size=(200_000, 3))).argmax(1)
    shares = np.bincount(best, minlength=3) / len(best)
    assert found.winner[ONE] == pytest.approx(shares, abs=0.0067)  # six standard errors
    with np.errstate(divide="ignore"):
        ratios = np.abs(np.log(found.winner / found.winner_other))
    assert (ratios[: ONE + 10] <= np.array(EPSILON_GRID)[: ONE + 10, None] + 1e-3).all()


def test_two_options_under_laplace_noise_have_a_closed_form():
    # P[a wins] = 1 - e^(-d)(2 + d)/4 for scores d scales apart.
    for d in (0.0, 0.5, 3.0):
        assert queries.noisy_winner(np.array([d, 0.0]), 1.0)[0] == pytest.approx(
            1 - math.exp(-d) * (2 + d) / 4, abs=1e-4
        )


def test_the_clearest_neighbour_of_counts_only_goes_up():
    scores = (5.0, 4.0, 1.0)
    there = np.array(clearest_neighbour(scores, monotone=True)) - scores
    assert set(there) <= {0.0, 1.0}
    assert there.any()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Alien 9",
        "a 1, a 2",
        "a 1, <b> 2",
        "a 1, b nan",
        "a 1, b 9999",
        "1 a, 2 b",
        ",".join("ab" * 9),
    ],
)
def test_options_that_cannot_be_read_are_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="is not allowed: give"):
        QueriesParams(options=text)


def test_options_are_kept_as_a_link_writes_them():
    params = QueriesParams(options="Été: 3,  O'Hara = -1.50")
    assert params.options == "Été 3, O'Hara -1.5"
    assert QueriesParams.from_link(params.to_link())[0] == params


def test_bounds_of_the_data_are_found_out_and_declared_ones_are_not():
    for reading, others, certain in (("range", 20, True), ("largest", 20, False)):
        found = queries.bounds(QueriesParams(reading=reading, others=others))
        assert np.isinf(found.real).all()
        assert (found.shown[:ONE] > np.array(EPSILON_GRID)[:ONE]).all()
        assert (found.hits == 1.0).all() == certain
        if certain:
            assert found.shown == pytest.approx(np.full(50, two_worlds(0, 0, n=1000).epsilon_lower))
    honest = queries.bounds(QueriesParams(reading="declared", others=0))
    # 50 attacks at 95 % share their noise; at this seed none exceeds the claim.
    assert (honest.shown <= EPSILON_GRID).all()
    assert honest.hits == pytest.approx(1 - np.exp(-np.array(EPSILON_GRID) / 2) / 2, abs=1e-3)


def test_a_mechanism_that_publishes_a_record_is_zero_delta_private_and_gives_somebody_away():
    for made in (queries.Publishing(n_people=100, chance=0.01), queries.Publishing(n_people=100)):
        promised = made.privacy
        assert (promised.epsilon, promised.delta) == (0.0, 0.01)
        assert promised.protection == "none"
        assert promised.loss_tail == 0.01
    assert queries.somebody(0.01, 100) == pytest.approx(1 - 0.99**100)
    # Brute force over what comes out with three records and without the last: total variation δ.
    chance = 0.3
    outcomes = {
        kept: math.prod(chance if k in kept else 1 - chance for k in range(3))
        for size in range(4)
        for kept in itertools.combinations(range(3), size)
    }
    fewer = {
        kept: math.prod(chance if k in kept else 1 - chance for k in range(2))
        for kept in outcomes
        if 2 not in kept
    }
    apart = sum(max(p - fewer.get(kept, 0.0), 0.0) for kept, p in outcomes.items())
    assert apart == pytest.approx(chance)


def test_half_the_delta_of_a_mechanism_that_publishes_is_refuted_and_its_own_is_not():
    made, rng, n = queries.Publishing(n_people=20, chance=0.05), np.random.default_rng(8), 20_000
    misses = n - sum(19 in made.sample(rng) for _ in range(n))
    assert two_worlds(0, misses, n=n, delta=0.025, confidence=1 - 1e-7).epsilon_lower > 0
    assert two_worlds(0, misses, n=n, delta=made.delta, confidence=1 - 1e-7).epsilon_lower == 0


def test_protection_is_judged_by_the_number_of_records_where_it_is_known():
    known = {"neighbouring": "add_remove", "status": "proved", "argument": ""}
    assert Guarantee(epsilon=0.1, delta=1e-3, n_records=1000, **known).protection == "none"
    assert Guarantee(epsilon=0.1, delta=1e-5, n_records=1000, **known).protection == "strong"
    assert Guarantee(epsilon=0.1, delta=1e-3, **known).protection == "strong"


@pytest.mark.parametrize("topic", TOPICS)
def test_each_way_of_asking_has_a_guarantee(topic):
    guarantee = queries.guarantee(QueriesParams(topic=topic))
    assert guarantee.status == ("nominal" if topic == "bounds" else "proved")


def test_laplace_noise_for_many_numbers_is_that_of_the_l1_norm():
    made = queries.sensitivity.numbers_mechanism(QueriesParams(shape="vector", n_numbers=10))
    assert isinstance(made, m.Laplace)
    assert made.scale == pytest.approx(10.0)


def test_the_block_is_solved_by_three_tables_and_not_by_two():
    params = QueriesParams(topic="reconstruct", counts="exact")
    solved = [queries.reconstructed(params.but(n_tables=k)) for k in (1, 2, 3)]
    published = [queries.tables(params.but(n_tables=k)) for k in (1, 2, 3)]
    assert [len(one.counts) for one in published] == [20, 40, 44]
    assert published[2].n_consistent == 1 < published[1].n_consistent < published[0].n_consistent
    assert (solved[2].people == published[2].block).all()
    assert [one.without_noise for one in solved] == sorted(one.without_noise for one in solved)
    assert queries.guarantee(params).epsilon == math.inf


def test_the_published_block_is_the_first_that_three_tables_determine_and_two_do_not():
    from dpcore.audit import consistent_populations, marginal_tables
    from dpcore.experiments.queries.records import BLOCK_SEED

    for seed in range(BLOCK_SEED + 1):
        exact = marginal_tables(queries.people_block(seed))
        wanted = consistent_populations(exact) == 1 < consistent_populations(exact[:2])
        assert wanted == (seed == BLOCK_SEED)


@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
@pytest.mark.parametrize("n_tables", [1, 2, 3])
def test_the_tables_share_epsilon_and_their_noise_is_that_of_the_account(relation, n_tables):
    params = QueriesParams(topic="reconstruct", relation=relation, n_tables=n_tables, epsilon=1.5)
    promised, found = queries.guarantee(params), queries.tables(params)
    reach = 1 if relation == "add_remove" else 2
    assert promised.epsilon == 1.5
    assert promised.event.count == n_tables
    assert promised.event.event.noise_multiplier == pytest.approx(reach * n_tables / 1.5)
    scale = found.scale[EPSILON_GRID.index(1.5)]
    assert scale == pytest.approx(reach * n_tables / 1.5)
    assert promised.best_attack() <= 1 / (1 + math.exp(-1.5))


def test_draws_of_the_noise_go_from_a_guess_to_the_block():
    params = QueriesParams(topic="reconstruct")
    parts = []
    draws = queries.recovered_in_draws(params, progress=parts.append)
    assert draws.shape == (queries.N_DRAWS, len(EPSILON_GRID))
    assert parts[-1] == 1.0
    guessed = queries.tables(params).guesses
    # Little noise finds nearly all, much noise hardly more than a guess; medians rise on the way but for chance.
    assert np.median(draws[:, -1]) == 12
    assert abs(draws[:, 0].mean() - guessed.mean()) < 2.5
    assert draws[:, 40].mean() > draws[:, 20].mean() > draws[:, 0].mean() - 1


def test_a_reconstruction_that_nobody_needs_stops():
    def check():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        queries.reconstructed(QueriesParams(topic="reconstruct"), check=check)


def test_each_column_names_more_patients_and_coarse_values_name_fewer():
    fields = ("by_sex", "by_year", "by_place")
    found = {
        (coarse, there): queries.joined(
            QueriesParams(topic="linkage", coarse=coarse, **dict(zip(fields, there, strict=True)))
        )
        for coarse in (False, True)
        for there in itertools.product((False, True), repeat=3)
    }
    for (coarse, there), join in found.items():
        assert (join.candidates >= 1).all()  # every patient is a resident
        for k in range(3):
            more = tuple(one or place == k for place, one in enumerate(there))
            assert (found[coarse, more].candidates <= join.candidates).all()
            assert found[coarse, more].k <= join.k
        if coarse:
            assert (join.candidates >= found[False, there].candidates).all()
        n_first = sum(there) if there == tuple(sorted(there, reverse=True)) else None
        if n_first is not None:
            assert join.named[int(coarse), n_first] == (join.candidates == 1).sum()


def test_the_coarse_table_is_2_anonymous_and_still_tells_a_diagnosis():
    from dpcore.audit import group_sizes, shared_secrets
    from dpcore.experiments.queries.records import TOWN_SEED

    for seed in range(TOWN_SEED + 1):
        town = queries.town(seed)
        coarse = (town.residents // [1, 10, 3])[: queries.N_PATIENTS]
        wanted = group_sizes(coarse).min() >= 2 and shared_secrets(coarse, town.diagnoses).any()
        assert wanted == (seed == TOWN_SEED)
    assert len(set(town.names)) == queries.N_RESIDENTS


def test_rows_have_no_guarantee_and_counts_have_the_one_of_their_noise():
    rows, counts = (
        QueriesParams(topic="linkage", release=release) for release in ("rows", "counts")
    )
    assert queries.guarantee(rows).epsilon == math.inf
    promised = queries.guarantee(counts.but(epsilon=1.5))
    assert promised.epsilon == 1.5
    assert promised.best_attack() == pytest.approx(1 - math.exp(-0.75) / 2)
    assert queries.joined(counts).counts.sum() == queries.N_PATIENTS
