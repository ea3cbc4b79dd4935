"""Activities of a classroom: a private poll, bets on whether a person was counted, predictions, an exercise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, ClassVar

from dpcore.estimate import Rate
from dpcore.experiments import classroom
from dpcore.experiments.classroom import PrivatePoll
from dpcore.guarantee import Guarantee
from ui.classroom import words
from ui.classroom.activity import Activity, Counted, Json, no_answer
from ui.classroom.models import Refused
from ui.classroom.predicting import Predict
from ui.classroom.shared_exercise import Together, on_a_phone
from ui.words.text import load_text

__all__ = [
    "KINDS",
    "Activity",
    "Betting",
    "Poll",
    "Predict",
    "Together",
    "on_a_phone",
    "read",
    "written",
]

T = load_text(__file__)

LONGEST_QUESTION = 200


@dataclass(frozen=True)
class Poll:
    """Yes/no poll with local privacy (randomized response).

    Each phone sends one bit, randomised on the phone.
    """

    question: str
    epsilon: float
    people: int = 30
    kind: ClassVar[str] = "poll"
    least: ClassVar[int] = classroom.SMALLEST_CLASS

    def __post_init__(self) -> None:
        if not 1 <= len(self.question.strip()) <= LONGEST_QUESTION:
            raise ValueError(f"Give a question of at most {LONGEST_QUESTION} signs.")
        _ = self.poll

    @property
    def poll(self) -> PrivatePoll:
        """Randomised-response mechanism that every phone applies to its answer."""
        return _poll(self.epsilon)

    @property
    def spends(self) -> float:
        """The ε that one answer costs the person who sends it."""
        return self.epsilon

    def names(self) -> list[str]:
        """Return the names of the two counts, "no" and "yes"."""
        return ["no", "yes"]

    def brief(self) -> Json:
        """Return the data for all phones: question, coin tosses, cost of an answer, and what an answer reveals.

        ``own`` is the probability, in units of 2⁻³², that the first coin toss lets the person answer truthfully;
        otherwise a second toss decides the answer.
        """
        poll = self.poll
        return {
            "question": self.question,
            # Rounded down: the answer is the person's own a little less often, never more.
            "own": min(math.floor(poll.own_answer * 2**32), 2**32 - 1),
            "coin": words.coin(poll.own_answer),
            "price": self.price(),
            "known": [words.known(poll.guarantee, sent) for sent in (False, True)],
        }

    def price(self) -> str:
        """Return a sentence with the ε of one answer and the expected error of the estimate."""
        error = self.poll.standard_error(0.3, self.people)
        return words.price(self.poll.guarantee, self.people, error)

    def mine(self, seed: bytes) -> Json:
        """Return an empty dictionary, since all phones get the same data."""
        return {}

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return the name of the count that a noisy bit increases: "no" for 0, "yes" for 1."""
        if isinstance(answer, bool) or answer not in (0, 1):
            raise no_answer(T("refused.bit"))
        return Counted([self.names()[int(answer)]], {})

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return the estimated share of "yes" with its confidence band.

        With fewer than ten answers, return only that there are too few, and the smallest number.
        """
        n, yes = counts.get("no", 0) + counts.get("yes", 0), counts.get("yes", 0)
        if n < classroom.SMALLEST_CLASS:
            return {"few": True, "least": classroom.SMALLEST_CLASS}
        poll = self.poll
        low, high = poll.band(yes, n)
        return {
            "n": n, "yes": yes, "estimate": poll.estimate(yes, n), "low": low, "high": high,
            "coins": poll.coin_error(n),
        }  # fmt: skip


@lru_cache(maxsize=64)
def _poll(epsilon: float) -> PrivatePoll:
    """Return the randomised-response mechanism for an ε.

    The mechanism is cached, since phones need it twice a second.
    """
    return PrivatePoll(epsilon=epsilon)


@dataclass(frozen=True)
class Betting:
    """Game of twenty bets, each on whether a person named Ada is included in a noisy count."""

    epsilon: float
    kind: ClassVar[str] = "bets"
    spends: ClassVar[float] = 0.0
    least: ClassVar[int] = 0

    @property
    def guarantee(self) -> Guarantee:
        """Privacy guarantee that one noisy count gives to Ada, the person who is counted or not."""
        return _count(self.epsilon)

    def names(self) -> list[str]:
        """Return the names of the counts, one for each number of correct bets."""
        return [f"right {k}" for k in range(classroom.N_BETS + 1)]

    def brief(self) -> Json:
        """Return the data for all phones: the number of bets, and the exact count of all people except Ada."""
        return {"bets": classroom.N_BETS, "without": 100}

    def mine(self, seed: bytes) -> Json:
        """Return the noisy counts on which a phone bets, generated from the phone's random bytes ``seed``."""
        return {"published": classroom.bets(self.epsilon, seed).published.tolist()}

    def count(self, answer: Any, seed: bytes) -> Counted:
        """Return the name of the count that a phone's bets increase, and the reply to the phone.

        There is one count for each possible number of correct bets. The reply states in which bets
        Ada was included.
        """
        whole = isinstance(answer, list) and len(answer) == classroom.N_BETS
        if not whole or any(bet not in (0, 1) for bet in answer):
            raise no_answer(T("refused.bets", n=classroom.N_BETS))
        bets = classroom.bets(self.epsilon, seed)
        hits = bets.hits(answer)
        return Counted(
            [f"right {hits}"], {"hits": hits, "present": bets.present.astype(int).tolist()}
        )

    def outcome(self, counts: Mapping[str, int], answered: int) -> Json:
        """Return the class's results: a histogram of correct bets, and two sentences.

        The histogram has the number of students for each number of correct bets. The sentences
        state the share of correct bets in the class, and the share that the best attacker reaches.
        """
        students = [counts.get(name, 0) for name in self.names()]
        bets = sum(students) * classroom.N_BETS
        right = sum(k * n for k, n in enumerate(students))
        rate = words.class_rate(Rate(hits=right, tries=bets)) if bets else ""
        reach = words.bets(self.guarantee)
        return {"students": sum(students), "held": students, "rate": rate, "reach": reach}


@lru_cache(maxsize=64)
def _count(epsilon: float) -> Guarantee:
    return classroom.count_to_bet_on(epsilon).privacy


KINDS: dict[str, Any] = {kind.kind: kind for kind in (Poll, Predict, Betting, Together)}


def written(activity: Any) -> Json:
    """Return an activity as a dictionary that can be stored in JSON."""
    return {"kind": activity.kind, **asdict(activity)}


def read(record: Mapping[str, Any]) -> Activity:
    """Return the activity that `written` has stored as a dictionary.

    Raises
    ------
    Refused
        When this server does not know the activity, for example because its exercise no longer exists.
    """
    fields = dict(record)
    try:
        activity: Activity = KINDS[fields.pop("kind")](**fields)
    except (KeyError, TypeError, ValueError) as error:
        raise Refused(T("refused.gone")) from error
    return activity
