"""What the lesson says: six steps, each with a question that is answered before the reason is told."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import lesson
from dpcore.experiments.grids import EPSILON_GRID
from ui.words.numbers import short, show

__all__ = ["DRAWS", "STEPS", "Step", "numbers", "trainings"]

DRAWS = Path(__file__).resolve().parents[2] / "assets" / "lesson" / "draws.json"


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: ``right`` is the place of the right answer; ``reveal`` may hold ``{numbers}``."""

    key: str
    title: str
    text: str
    question: str
    options: tuple[str, ...]
    right: int
    reveal: str


STEPS = (
    Step(
        key="coin",
        title="A coin that protects an answer",
        text="A school wants to know how many students cheated in an exam. Nobody likes to admit it. So every "
        "student tosses a weighted coin in secret. It mostly says: tell the truth; sometimes it says: lie.\n\n"
        "The school never sees the coins. It knows only how often they say: lie. From that it works out how many "
        "cheated. **Move the handle**: it sets how many answers are true.",
        question="Three in four answers are true, and Ada says “yes”. What does the school know about her?",
        options=(
            "She has cheated.",
            "She may have cheated. It may also be the coin.",
            "Nothing at all.",
        ),
        right=1,
        reveal="Her “yes” may be the work of the coin. In this school 30 in a hundred have cheated. Of a hundred who "
        "say “yes”, {means_yes} have. So her “yes” is a hint, and no proof.\n\nYet the school learns a lot about all "
        "of them together. In a thousand answers the wrong ones nearly cancel out, because the school knows how many "
        "there are on average. "
        "That is the idea of [[differential privacy]]: **much about everybody, little about each.**",
    ),
    Step(
        key="count",
        title="One count, with Ada and without her",
        text="Now somebody counts exactly. A club publishes how many people came to its meeting. Surely a number "
        "about a hundred people is harmless?\n\nThink of an [[adversary|attacker]] who knows the other 99 guests. "
        "**Switch Ada on and off**, and watch the number.",
        question="The club publishes 100. The attacker knows that the 99 others came. How sure are they about Ada?",
        options=("Half sure.", "Quite sure, but it may be a mistake.", "Completely sure."),
        right=2,
        reveal="Completely sure: 100 minus 99 is Ada. An exact number hides nobody from a person who knows the "
        "rest.\n\nCould anybody know that much? We cannot tell, and that is the point. We want a "
        "promise that holds **whatever somebody else knows already**.",
    ),
    Step(
        key="noise",
        title="A little noise, and a dial called ε",
        text="Here is the way out. Before the number is published, a computer adds a random number to it: the "
        "[[noise]]. It is mostly small, and sometimes large. Each dot in the picture is a number that could be "
        "published. The curves show how likely each number is, with Ada and without her.\n\nOne dial sets how "
        "much noise there is. It is called **ε**, say “epsilon”. The noise is about 1/ε people large. "
        "**Drag ε** to the left and to the right. Then press **Bet**, and guess twenty times whether Ada was there.",
        question="You drag ε from 1 down to 0.1. What happens?",
        options=(
            "The number gets worse, and Ada is hidden better.",
            "The number gets better, and Ada is easier to find.",
            "Ada is hidden better, and the number stays as good.",
        ),
        right=0,
        reveal="At ε = 1 the number is off by {off_one} person on average, and an attacker guesses right "
        "{guess_one}. At ε = 0.1 it is off by {off_tenth} people. The attacker guesses right {guess_tenth}: hardly "
        "better than tossing a coin.\n\nLook at the hundred people, too. ε sets a limit on how "
        "much one such number can tell anybody about Ada. **No clever trick and no later invention gets past it.**",
    ),
    Step(
        key="again",
        title="Asking again",
        text="The attacker asks the same question again, and again. Each time the computer adds fresh noise, with "
        "ε = 0.5. A single answer hides Ada well. **Move the handle** to ask more often, and watch the "
        "average of the answers.",
        question="What does the average show after a hundred answers?",
        options=(
            "Only noise, as before.",
            "Something far from the truth.",
            "Almost exactly the truth.",
        ),
        right=2,
        reveal="The noise cancels out. After a hundred answers their average is off by only {off_hundred} "
        "people. The attacker guesses right {guess_hundred}.\n\nSo every answer has a price, and the prices add up. "
        "A hundred answers at ε = 0.5 cost ε = {spent}: that protects hardly at all. That is why the "
        "[[data curator]] keeps a [[privacy budget]]. **When it is spent, no more questions.**",
    ),
    Step(
        key="learning",
        title="The same in learning",
        text="A computer that learns from people also tells something about them. This one learns typical points, "
        "the [[prototype|prototypes]]: three for each of two groups. A new person is put into the group of the "
        "nearest one.\n\nEvery person in the data moves the prototypes a little. So there is noise in "
        "each step of the learning, which makes it harder to recognise a single person. **Drag ε to the left**, and "
        "see when the prototypes stop being useful.",
        question="Must privacy make such a computer useless?",
        options=(
            "Yes. Nothing can be learned from people who are hidden.",
            "No. There is a range in which it is both private and useful.",
            "No. The noise changes nothing at all.",
        ),
        right=1,
        reveal="The picture is one draw: other noise gives other points. We trained {n_draws} times. From about "
        "ε = {useful} on, at least half of the trainings get nine of ten new cases right. At ε = {useless} half of "
        "them get {bad} or fewer right. That is little better than tossing a coin.\n\n"
        "Between the two lies a knee: left of it, a little more privacy costs a lot. **Finding the knee is the "
        "art of private learning.** More people in the data move it to the left, because one person then "
        "counts for less.",
    ),
    Step(
        key="limits",
        title="What it does not protect",
        text="A study asks many smokers whether they fell ill. It is private, with ε = 0.5. It finds that smokers "
        "fall ill more often. Ada smokes, and is ill. Her insurer reads the study and raises her price.\n\n**Move "
        "the handle** to make the study larger. Compare what it finds with Ada, and without her.",
        question="Ada is angry. Would it have helped her to stay out of the study?",
        options=(
            "No. The study would have found the same.",
            "Yes. Without her nobody would know.",
            "Yes, if the noise had been larger.",
        ),
        right=0,
        reveal="It would not have helped. Say 300 of a thousand smokers are ill, and Ada is one of them. That is "
        "{finds}. Without her it is {finds_other}. Who is asked, and the noise, change far more: nine in ten such "
        "studies find {low} to {high}. The insurer has learned about smokers, not from Ada.\n\n"
        "The promise is this: **what is "
        "published hardly depends on whether you took part.** It is not a promise that nobody can learn "
        "anything about you. It hides no secret that many people share. And it is only as good as its "
        "ε. So when somebody says that data are private, ask: how large is ε?",
    ),
)


def numbers() -> dict[str, str]:
    """Return the numbers that the reveals tell, all of them from what the figures show."""
    survey, count, asked = lesson.survey(), lesson.count(), lesson.ask_again()
    study, right = lesson.study(), trainings()
    median = np.median(right, axis=0)
    one, tenth = EPSILON_GRID.index(1.0), EPSILON_GRID.index(0.1)
    thousand = lesson.PEOPLE_GRID.index(1000)
    useful = next(e for e, share in zip(EPSILON_GRID, median, strict=True) if share >= 0.9)
    return {
        "means_yes": show(100 * survey.means_yes[lesson.TRUTH_GRID.index(0.75)], "d"),
        "off_one": short(count.off[one]),
        "off_tenth": short(count.off[tenth]),
        "guess_one": _times(count.guesses[one]),
        "guess_tenth": _times(count.guesses[tenth]),
        "off_hundred": show(asked.off[-1], ".1g"),
        "guess_hundred": _times(asked.guesses[-1]),
        "spent": short(asked.epsilon[-1]),
        "useful": short(useful),
        "useless": short(EPSILON_GRID[0]),
        "bad": show(float(median[0]), "in 100"),
        "n_draws": show(len(right), "d"),
        "finds": show(study.middle[thousand], ".2%"),
        "finds_other": show(study.middle_other[thousand], ".2%"),
        "low": show(study.low[thousand], ".0%"),
        "high": show(study.high[thousand], ".0%"),
    }


@cache
def trainings() -> NDArray[np.float64]:
    """Return what each of many trainings gets right at every ε, (D, E): the file that ``make openings`` writes."""
    return np.array(json.loads(DRAWS.read_text("utf-8"))["right"])


def _times(share: float) -> str:
    return f"{show(100 * share, 'd')} times in 100"
