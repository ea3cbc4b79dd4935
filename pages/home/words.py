"""The words of the start page, and the links for a lecture."""

from __future__ import annotations

__all__ = ["DOORS", "HERO", "HOW", "SOURCES", "TOUR", "Door"]

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Door:
    """A way in: where it leads, the first of ``pages`` that is there, and what it says."""

    title: str
    text: str
    label: str
    pages: tuple[str, ...]


DOORS = (
    Door(
        title="Learn it",
        text="Ten minutes, six small experiments, no mathematics. You move things, answer questions, and see why.",
        label="Start the first lesson",
        pages=("lesson", "mechanisms"),
    ),
    Door(
        title="Teach it",
        text="Every figure answers while you drag, on a projector too. Every link keeps its picture. "
        "Six opening pictures for a lecture are further down.",
        label="Prepare a class",
        pages=("teach", "mechanisms"),
    ),
    Door(
        title="Decide on it",
        text="How large may ε be? See what many answers cost together, and what somebody could then learn about "
        "one person.",
        label="Choose an ε",
        pages=("decide", "choose", "budget"),
    ),
)
HERO = (
    "A computer has learned typical points, its [[prototype|prototypes]], from the people in the picture. **Drag ε "
    "to the left**: more [[noise]] hides each of them better. Watch when the prototypes stop being useful, and how "
    "sure anybody can be about one person."
)
HOW = (
    (
        "Drag ε",
        "On most pages the first handle is ε, the [[privacy parameter]]. To the left is more private.",
    ),
    ("Read the sentence", "Under each figure one sentence says what you see now."),
    (
        "Go deeper",
        "*Look* shows the idea, *Understand* the formula, *Check the papers* what others print.",
    ),
    (
        "Keep it",
        "The address is a link to the very same picture. You can download the data and the program.",
    ),
)
TOUR = (
    ("relevance", "Pictures out of the noise", {"dataset": "digits", "epsilon": "1", "prototypes_per_class": "1"},
     "Prototypes of digits: between ε = 0.5 and ε = 3 one begins to recognise them."),
    ("relevance", "What a printed noise costs", {"recipe": "paper", "epsilon": "10", "depth": "check"},
     "At the ε of their table the noise that Brinkrolf, Berger and Hammer print costs less than they claim. And at "
     "ε = 10?"),
    ("budget", "A rule that promises too much", {"noise_multiplier": "0.6", "n_steps": "5000", "depth": "check"},
     "A well-known rule of thumb beside the true cost of 5000 steps."),
    ("descent", "Why clip?", {"parts": "noise", "model": "logistic", "dataset": "blobs"},
     "Noise alone promises nothing, because one person may ask for a step of any length."),
    ("regression", "A valley that becomes a ridge",
     {"epsilon": "0.1", "n_samples": "400", "method": "printed", "repair": "none", "depth": "understand"},
     "With much noise the best model may not exist any more. What is published then?"),
    ("autoencoder", "Scrambled is not private", {"epsilon": "0.8", "kind": "hidden"},
     "The pictures look hidden. The attackers under them find the people again."),
)  # fmt: skip
SOURCES = (
    "After: Brinkrolf, Berger and Hammer, Differential private relevance learning (ESANN 2018); "
    "Sarkar, Privacy preserving machine learning (lecture); Jiang, DP-SGD and linear regression by a "
    "perturbed objective; Jain et al., Bias weight perturbation; Kumar, Moser and Fischer, "
    "Kernel affine hull machines."
)
