"""Self-checking exercises: text files whose answers dpcore computes, and signed receipts.

`load_folder` reads exercises, `Exercise.draw` draws a student's individual numbers, `Drawn.public`
is the part that a browser may know, `Drawn.grade` names the misconception behind a wrong answer.
Answers are sent only after they are unlocked.
"""

from dpcore.exercises.attempts import TRIES, Attempt, Shown
from dpcore.exercises.checking import faults
from dpcore.exercises.exercise import Drawn, Exercise, FigureLink, Verdict
from dpcore.exercises.library import load_folder
from dpcore.exercises.node import ExerciseError
from dpcore.exercises.receipts import Receipt, server_key

__all__ = [
    "TRIES",
    "Attempt",
    "Drawn",
    "Exercise",
    "ExerciseError",
    "FigureLink",
    "Receipt",
    "Shown",
    "Verdict",
    "faults",
    "load_folder",
    "server_key",
]
