"""RenderQueue: few at once, in the order of coming, and nobody waits for one who takes long or waits itself."""

import threading

from ui.jobs.render_queue import RenderQueue

_SOON = 20  # seconds that a thread of a loaded machine may need


class Reader(threading.Thread):
    """Has one turn, from `begun` until `go`."""

    def __init__(self, turns, order, work=None, soon=False):
        super().__init__(daemon=True)
        self.turns, self.order, self.work, self.soon = turns, order, work, soon
        self.begun, self.go = threading.Event(), threading.Event()
        self.start()

    def run(self):
        with self.turns.turn(soon=self.soon):
            self.order.append(self)
            self.begun.set()
            if self.work:
                self.work()
            self.go.wait(_SOON)


def queue_of(turns, length):
    while len(turns._waiting) + len(turns._soon) < length:
        threading.Event().wait(0.001)


def test_as_many_at_once_as_said_and_first_come_first_served():
    turns, order = RenderQueue(at_once=2, longest=600), []
    readers = []
    for k in range(6):
        readers.append(Reader(turns, order))
        if k < 2:
            assert readers[-1].begun.wait(_SOON)
        else:
            queue_of(turns, k - 1)
    for k, reader in enumerate(readers):
        assert reader.begun.wait(_SOON)
        assert len(order) == min(k + 2, 6)
        reader.go.set()
        reader.join(_SOON)
        if k + 2 < 6:
            assert readers[k + 2].begun.wait(_SOON)
    assert order == readers


def test_answers_come_before_pages_that_open_but_not_for_ever():
    turns, order = RenderQueue(at_once=1, longest=600, in_a_row=2), []
    holds = Reader(turns, order)
    assert holds.begun.wait(_SOON)
    readers = []
    for soon in (False, False, True, True, True):
        readers.append(Reader(turns, order, soon=soon))
        queue_of(turns, len(readers))
    for reader in (holds, *readers):
        reader.go.set()
    for reader in readers:
        reader.join(_SOON)
    opens, answers = readers[:2], readers[2:]
    assert order == [holds, *answers[:2], opens[0], answers[2], opens[1]]


def test_one_that_takes_long_holds_nobody_up():
    turns, order = RenderQueue(at_once=1, longest=0.05), []
    long = Reader(turns, order)
    assert long.begun.wait(_SOON)
    others = [Reader(turns, order) for _ in range(3)]
    assert all(other.begun.wait(_SOON) for other in others)  # one after the other, .05 s each
    for reader in (long, *others):
        reader.go.set()
        reader.join(_SOON)
    assert not turns._begun
    assert not turns._waiting


def test_one_that_waits_lets_others_go_and_is_then_the_next():
    turns, order = RenderQueue(at_once=1, longest=600), []
    here, back = threading.Event(), threading.Event()

    def waits():
        with turns.aside():
            here.set()
            back.wait(_SOON)

    first = Reader(turns, order, waits)
    assert here.wait(_SOON)
    second = Reader(turns, order)
    assert second.begun.wait(_SOON)
    third = Reader(turns, order)
    queue_of(turns, 1)
    back.set()
    queue_of(turns, 2)
    second.go.set()
    first.go.set()
    first.join(_SOON)
    assert not first.is_alive()  # before the third, who came later and is still to go
    assert third.begun.wait(_SOON)
    third.go.set()
    third.join(_SOON)


def test_a_turn_within_a_turn_is_the_same_and_outside_one_there_is_nothing_to_give_up():
    turns = RenderQueue(at_once=1, longest=600)
    with turns.aside(), turns.turn(), turns.turn():
        assert len(turns._begun) == 1
        with turns.aside():
            assert not turns._begun
        assert len(turns._begun) == 1
    assert not turns._begun


def test_an_error_gives_the_turn_back():
    turns = RenderQueue(at_once=1, longest=600)
    try:
        with turns.turn():
            raise ValueError
    except ValueError:
        pass
    assert not turns._begun
