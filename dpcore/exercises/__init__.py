"""Self-checking exercises: text files whose answers dpcore computes, and signed receipts for scores.

`load_folder` reads a folder of exercises. `Exercise.draw` returns an exercise with the individual numbers of one
student. `ExerciseInstance.public` returns what may be sent to a browser. `ExerciseInstance.grade` grades an answer
and names the misconception behind a wrong one. Hints and solutions are sent to the browser only when they are
unlocked.
"""

from dpcore.exercises.attempts import TRIES, Attempt, Shown
from dpcore.exercises.checking import faults
from dpcore.exercises.exercise import Exercise, ExerciseInstance, FigureLink, Verdict
from dpcore.exercises.library import load_folder
from dpcore.exercises.node import ExerciseError
from dpcore.exercises.receipts import Receipt, server_key

__all__ = [
    "TRIES",
    "Attempt",
    "Exercise",
    "ExerciseError",
    "ExerciseInstance",
    "FigureLink",
    "Receipt",
    "Shown",
    "Verdict",
    "faults",
    "load_folder",
    "server_key",
]
