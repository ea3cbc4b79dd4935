"""Jiang's opening example in words: both tables, the difference of two counts, and what noise does to it."""

from __future__ import annotations

import math

import streamlit as st

from dpcore.experiments.regression import RegressionParams
from dpcore.experiments.regression.opening import ATTACKED, TABLE, difference, difference_right
from ui.words.numbers import percent_at_most, short, show

__all__ = ["opening_example"]

_HEAD = "| name | first table: suffers from diabetes | second table |\n|---|---|---|\n"


def opening_example(params: RegressionParams) -> None:
    """Draw both tables and the attack that takes the difference, exact and with noise."""
    rows = (f"| {name} | {ill} | {0 if name == ATTACKED else ill} |" for name, ill in TABLE)
    st.markdown(_HEAD + "\n".join(rows))
    ill = [value for _, value in TABLE]
    st.markdown(
        f"The two tables differ in {ATTACKED} alone. **The attack**: ask how many of the five are ill, then how many "
        f"of the first four. Exact answers are {sum(ill)} and {sum(ill[:-1])}, and the difference "
        f"{sum(ill)} − {sum(ill[:-1])} = {ill[-1]} is {ATTACKED}'s entry. Both counts look harmless, and neither "
        "names anybody."
    )
    first, second = difference(params.epsilon, params.seed)
    apart = first - second
    bound = 1 / (1 + math.exp(-params.epsilon))
    st.markdown(
        f"**With noise.** At your ε = {short(params.epsilon)} for each answer, Lap(1/ε) makes them "
        f"{show(first, '.2f')} and {show(second, '.2f')}. The difference is {show(apart, '.2f')}, so the attacker "
        f"says that {ATTACKED} is {'ill' if apart > 0.5 else 'well'}. Of 100 such pairs of answers "
        f"{show(100 * difference_right(params.epsilon), '.0f')} tell the truth. Only one of the answers depends on "
        f"{ATTACKED}, so ε allows {percent_at_most(bound)} at most; whoever is in both counts pays 2ε = "
        f"{short(2 * params.epsilon)}. More answers to one "
        "question stand in the tab *The opening example*."
    )
