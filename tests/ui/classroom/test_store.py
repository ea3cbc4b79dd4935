"""The same rooms in SQLite and in PostgreSQL: counts alone, one answer a phone, nothing left when it is closed."""

import secrets
import threading
from pathlib import Path

import pytest
import sqlalchemy as sql

from tests.ui.classroom.asking import join
from tests.ui.classroom.postgres import cluster, programs
from ui.classroom import codes
from ui.classroom import store as stores
from ui.classroom.models import Refused
from ui.classroom.store import LIFETIME, Store
from ui.classroom.tables import metadata, writing

POLL = {"kind": "poll", "question": "?", "epsilon": 1.0}


class Clock:
    now = 1e9

    def __call__(self):
        return self.now


@pytest.fixture(scope="module")
def postgres():
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine: apt-get install postgresql")
    with cluster() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def made(request, tmp_path):
    """A store, its clock and its address."""
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    else:
        address = request.getfixturevalue("postgres")
    clock = Clock()
    found = Store(address, clock)
    yield found, clock, address
    with writing(found.engine) as link:
        for table in metadata.sorted_tables:
            link.execute(table.delete())
    found.dispose()


@pytest.fixture
def store(made):
    return made[0]


def rows(store):
    with store._engine.connect() as link:
        return {
            table.name: link.execute(sql.select(table)).all() for table in metadata.sorted_tables
        }


def asking(store, names=("no", "yes")):
    code, key = store.open()
    store.start(code, key, POLL, names, 1.0)
    return code, key


def refused(status):
    return pytest.raises(Refused, check=lambda refusal: refusal.status == status)


def test_a_vote_counts_once_a_token_and_once_a_turn(store):
    code, key = asking(store)
    phones = [join(store, code) for _ in range(3)]
    for phone in phones:
        store.answer(phone, 1, ["yes"])
    with refused(409):
        store.answer(phones[0], 1, ["no"])
    found = store.room(code)
    assert (found.joined, found.answered, found.counts) == (3, 3, {"no": 0, "yes": 3})
    store.start(code, key, POLL, ["no", "yes"], 1.0)
    store.answer(phones[0], 2, ["no"])
    found = store.room(code)
    assert (found.answered, found.counts, found.spent) == (1, {"no": 1, "yes": 0}, 2.0)


def test_what_is_over_or_no_answer_is_refused_and_does_not_use_up_the_answer(store):
    code, key = asking(store)
    phone = join(store, code)
    with refused(422):
        store.answer(phone, 1, ["maybe"])
    with refused(409):
        store.answer(phone, 7, ["yes"])
    store.answer(phone, 1, ["yes"])
    store.show(code, key)
    with refused(409):
        store.answer(join(store, code), 1, ["yes"])
    assert store.room(code).phase == "shown"


def test_a_phone_cannot_speak_as_the_lecturer(store):
    code, key = asking(store)
    other, other_key = store.open()
    for wrong in (join(store, code), code, "", other_key, codes.hashed(key)):
        for act in (store.show, store.close):
            with refused(403):
                act(code, wrong)
        with refused(403):
            store.start(code, wrong, POLL, ["yes"])
        assert not store.is_lecturer(code, wrong)
    assert store.is_lecturer(code, key)
    assert store.room(code).phase == "open"
    assert store.room(other).phase == "waiting"


def test_the_database_learns_the_counts_when_the_question_ends(store):
    code, key = asking(store)
    phones = [join(store, code) for _ in range(2)]
    for phone, word in zip(phones, ("yes", "no"), strict=True):
        store.answer(phone, 1, [word])
    assert {row.n for row in rows(store)["dp_room_sums"]} == {0}
    assert store.room(code).counts == {"no": 1, "yes": 1}
    store.show(code, key)
    assert sorted(rows(store)["dp_room_sums"]) == [(code, "no", 1), (code, "yes", 1)]
    assert store.room(code).counts == {"no": 1, "yes": 1}
    assert all(phone not in str(rows(store)) for phone in phones)


def test_another_process_ends_the_question_and_no_answer_is_missing(made):
    store, _, address = made
    second = Store(address, store._clock)
    code, key = asking(store)
    for where in (store, second) * 10:
        where.answer(join(where, code), 1, ["yes"])
    assert store.room(code).answered == 20
    store.show(code, key)
    second.settle()
    assert store.room(code).counts == second.room(code).counts == {"no": 0, "yes": 20}
    second.dispose()


@pytest.mark.parametrize("late", [1, 9])
def test_a_process_does_not_write_a_few_answers_beside_those_of_another(made, late):
    """Whoever reads the database knows which process holds the answer of a phone."""
    store, clock, address = made
    second = Store(address, clock)
    code, key = asking(store)
    for _ in range(12):
        store.answer(join(store, code), 1, ["yes"])
    for _ in range(late):
        second.answer(join(second, code), 1, ["no"])
    store.show(code, key)
    second.settle()
    assert store.room(code).counts == {"no": 0, "yes": 12}
    clock.now += stores.ALIVE + 1
    assert store.room(code).answered == 12
    second.dispose()


def test_answers_of_a_killed_process_are_taken_again_and_count_once(made):
    store, clock, address = made
    killed = Store(address, clock)
    code, key = asking(store)
    phones = [join(store, code) for _ in range(20)]
    boxes = [killed.answer(phone, 1, ["yes"]) for phone in phones]
    assert store.versions([code])[code].boxes == (boxes[0],)
    with refused(409):  # it may still live
        store.answer(phones[0], 1, ["yes"])
    clock.now += stores.ALIVE + 1
    assert store.versions([code])[code].boxes == ()
    assert store.room(code).answered == 0
    for phone in phones[:10]:
        store.answer(phone, 1, ["yes"])
    with refused(409):
        store.answer(phones[0], 1, ["yes"])
    killed.settle()  # it was only slow: what was sent again is not counted twice
    store.show(code, key)
    killed.settle()
    assert store.room(code).counts == {"no": 0, "yes": 20}
    killed.dispose()


def test_a_process_that_stops_writes_ten_answers_and_asks_for_fewer_again(made):
    store, clock, address = made
    for n, written in ((9, 0), (10, 10)):
        code, _ = asking(store)
        stopping = Store(address, clock)
        phones = [join(store, code) for _ in range(n)]
        boxes = {stopping.answer(phone, 1, ["yes"]) for phone in phones}
        stopping.dispose()
        assert store.room(code).counts["yes"] == written
        clock.now += stores.ALIVE + 1
        assert set(store.versions([code])[code].boxes) == (boxes if written else set())


def test_fewer_answers_than_the_least_are_never_written(store):
    for n, written in ((9, 0), (10, 10)):
        code, key = store.open()
        store.start(code, key, POLL, ("no", "yes"), 1.0, least=10)
        for _ in range(n):
            store.answer(join(store, code), 1, ["yes"])
        store.show(code, key)
        assert store.room(code).counts["yes"] == written


def test_a_sum_that_cannot_be_written_waits(store, monkeypatch):
    code, key = asking(store)
    store.answer(join(store, code), 1, ["yes"])
    with monkeypatch.context() as patch:
        patch.setattr(store, "_enough", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.show(code, key)
    assert store.room(code).phase == "open"  # phones send lost answers again only while it runs
    store.show(code, key)
    assert rows(store)["dp_room_sums"] == [(code, "no", 0), (code, "yes", 1)]


def test_a_question_does_not_end_while_phones_send_answers_again(made):
    """They do once a killed process is silent for so long that it has ended."""
    store, clock, address = made
    killed = Store(address, clock)
    code, key = asking(store)
    phones = [join(store, code) for _ in range(12)]
    for phone in phones:
        killed.answer(phone, 1, ["yes"])
    for _ in range(12):
        clock.now += 1
        if clock.now - 1e9 > 3:
            with pytest.raises(Refused, match="12 answers may still be missing"):
                store.show(code, key)
    assert store.room(code).phase == "open"
    for phone in phones[:10]:  # two have been closed
        store.answer(phone, 1, ["yes"])
    clock.now += 1
    store.show(code, key)
    found = store.room(code)
    assert (found.answered, found.counts) == (10, {"no": 0, "yes": 10})
    killed.dispose()


def test_a_second_answer_is_refused_with_the_box_that_holds_the_first(store):
    """The phone may not have received the reply to the first, and has to see when it is lost."""
    code, _ = asking(store)
    phone = join(store, code)
    box = store.answer(phone, 1, ["yes"])
    with pytest.raises(Refused, check=lambda refusal: refusal.box == box):
        store.answer(phone, 1, ["yes"])


def test_closing_deletes_everything_of_this_room_alone(made):
    store, _, address = made
    code, key = asking(store)
    other, _ = asking(store)
    phone = join(store, code)
    store.answer(phone, 1, ["yes"])
    store.close(code, key)
    assert store.room(code) is None
    assert store.versions([code, other]).keys() == {other}
    assert code not in str(rows(store))
    with refused(401):
        store.seat(phone)
    if address.startswith("sqlite"):
        file = Path(address.removeprefix("sqlite:///"))
        for part in file.parent.glob(f"{file.name}*"):
            assert codes.hashed(phone).encode() not in part.read_bytes(), part.name


def test_after_four_hours_a_room_is_gone_before_and_after_it_is_tidied_away(made):
    store, clock, _ = made
    code, key = asking(store)
    phone = join(store, code)
    clock.now += LIFETIME - 1
    assert store.room(code)
    clock.now += 1
    assert store.room(code) is None
    for act in (
        lambda: join(store, code),
        lambda: store.seat(phone),
        lambda: store.show(code, key),
    ):
        with pytest.raises(Refused):
            act()
    assert code in str(rows(store))
    assert store.tidy() == 1
    assert code not in str(rows(store))


def test_rooms_and_phones_are_bounded(store, monkeypatch):
    monkeypatch.setattr(stores, "MOST_ROOMS", 2)
    monkeypatch.setattr(stores, "MOST_PHONES", 2)
    code, _ = store.open()
    store.open()
    with refused(503):
        store.open()
    join(store, code)
    join(store, code)
    with refused(503):
        join(store, code)


def test_many_phones_at_once_lose_no_answer_and_count_none_twice(made):
    store, _, address = made
    code, _ = asking(store, [f"{k}" for k in range(6)])
    phones = [join(store, code) for _ in range(12)]
    second = Store(address, store._clock)  # as another process has it
    twice = []

    def send(k):
        for where in (store, second):
            try:  # each in an order of its own, which databases that lock rows do not like
                where.answer(phones[k], 1, [f"{(j * (-1) ** k) % 6}" for j in range(4)])
            except Refused as refusal:
                twice.append(refusal.status)

    threads = [threading.Thread(target=send, args=[k]) for k in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for where in (store, second):
        where._write_sums((code, 1)) if (code, 1) in where._boxes else None
    found = store.room(code)
    second.dispose()
    assert twice == [409] * 12
    assert (found.answered, sum(found.counts.values())) == (12, 48)


def test_a_phone_that_asks_again_with_its_token_has_one_place(made):
    store, _, address = made
    code, _ = asking(store)
    second = Store(address, store._clock)  # as another process has it
    tokens = [secrets.token_urlsafe(24) for _ in range(3)]
    failed = []

    def ask_again(where):
        for token in tokens:
            try:
                where.join(code, token)
            except Exception as error:  # of a thread: shown below
                failed.append(error)

    threads = [threading.Thread(target=ask_again, args=[(store, second)[k % 2]]) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert store.room(code).joined == 3
    store.answer(tokens[0], 1, ["yes"])
    second.join(code, tokens[0])
    with refused(409):  # it has no second vote
        second.answer(tokens[0], 1, ["no"])
    second.dispose()


def test_a_token_of_another_room_is_no_place_in_this_one(store):
    first, _ = asking(store)
    other, _ = asking(store)
    token = join(store, first)
    with refused(409):
        store.join(other, token)
    assert (store.room(first).joined, store.room(other).joined) == (1, 0)
    assert store.seat(token).code == first


def test_a_full_room_keeps_the_place_of_a_phone_that_asks_again(store, monkeypatch):
    monkeypatch.setattr(stores, "MOST_PHONES", 1)
    code, _ = asking(store)
    token = join(store, code)
    store.join(code, token)
    with refused(503):
        join(store, code)


def test_the_version_grows_with_every_change(store):
    code, key = store.open()
    seen = [store.versions([code])[code]]
    phone = join(store, code)
    for change in (
        lambda: store.start(code, key, POLL, ["yes"]),
        lambda: store.answer(phone, 1, ["yes"]),
        lambda: store.show(code, key),
    ):
        change()
        seen.append(store.versions([code])[code])
    assert len(set(seen)) == 4
    assert [version.phase for version in seen] == ["waiting", "open", "open", "shown"]


def test_another_kind_of_database_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="'mysql' is not allowed: give postgresql"):
        Store("mysql://localhost/rooms")
