"""Audit: can we believe the ε that software claims?"""

from dpcore.experiments.audit import AuditParams
from pages.audit.controls import CONTROLS
from pages.audit.drawn import NO_NOISE
from pages.audit.figure import figure
from pages.audit.meaning import meaning
from pages.audit.pipeline import PIPELINE
from pages.audit.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="audit",
    title="Audit",
    group="Decide",
    question="Can we believe the ε that software claims?",
    opening="We run private software again and again, with Ada in the data and without her, and let an "
    "[[adversary|attacker]] guess which it was. Choose a bug from the list and watch the bound "
    "climb above the claim.",
    params=AuditParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=NO_NOISE,
    card=Card(panel="climb", keep=("epsilon",), stages=("attack",)),
    looks={"bug": "target=bug3&trainings=2000", "ceiling": "target=bias"},
)
