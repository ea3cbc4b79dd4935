"""The words under the page Deep networks: guarantee, the algorithm with numbers, MNIST, tasks."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpcore import accounting
from dpcore.experiments import network
from dpcore.experiments.network import NetworkParams
from dpcore.network import DIGITS, MNIST
from pages.network import mnist
from pages.network.figure import figure
from ui.export import from_figure
from ui.frame.explanation import Explanation
from ui.program import filled
from ui.runner import PageState
from ui.words.numbers import short, show, tex

__all__ = ["program", "words"]


def words(state: PageState[NetworkParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    return Explanation(
        shown=_shown(params),
        formula=lambda: _formula(params),
        sections={"The network, and how one picture is capped": _network},
        checks={
            **({"MNIST: the published figures beside ours": _mnist} if mnist.curves() else {}),
            "The algorithm as Jiang prints it": _printed,
        },
        bundle=from_figure.taken(
            figure,
            state,
            draws="training",
            panels=("training", "spent", *(("mnist", "mnist_spent") if mnist.curves() else ())),
            whole=("private", "plain"),
            name="network",
            title="A convolutional network trained by DP-SGD on digits",
            guarantee=network.guarantee(params),
            code=program,
        ),
        tasks=_TASKS,
        other=("descent", "One step of it as a picture: Gradient descent"),
    )


def _shown(params: NetworkParams) -> str:
    """What both private trainings that the page draws cost together."""
    made = network.recipe(params)
    together = accounting.epsilon(
        noise_multiplier=made.noise_multiplier,
        sample_rate=made.sample_rate,
        n_steps=2 * made.n_steps,
        delta=params.delta,
    )
    return (
        "this page draws this training and one with the other step size, each with noise of its own. Whoever sees "
        f"both has up to ε = **{short(together)}** at the same δ = {short(params.delta)}. Publish one."
    )


def _formula(params: NetworkParams) -> None:
    made = network.recipe(params)
    lot = network.SAMPLE_RATE * network.problem().n_train
    st.markdown("## One step, with your numbers")
    st.latex(
        r"W \leftarrow W - \frac{\eta_t}{qN}\Big(\sum_{i\in L_t} \mathrm{clip}_C(g_i) + \sigma C Z_t\Big)"
    )
    st.latex(
        rf"q = {tex(network.SAMPLE_RATE)},\quad qN = {tex(lot, '.4g')},\quad "
        rf"\sigma = {tex(made.noise_multiplier)},\quad \sigma C = "
        rf"{tex(made.noise_multiplier * params.clip_norm)},\quad T = {tex(made.n_steps, 'd')}"
    )
    st.markdown(
        f"Every picture joins a step with probability q, independently of the others. Its gradient g has "
        f"{show(DIGITS.n_weights, 'd')} numbers, one for each weight of the network, and is shortened to C if it is "
        "longer. Then noise Z is added once to the sum. σ is the least noise that keeps all T steps together within "
        "your ε and δ, by the tight account."
    )


def _network() -> None:
    st.markdown(
        f"Two convolutions with pooling, a hidden layer of {MNIST.hidden} units, ten classes: "
        f"{show(MNIST.n_weights, 'd')} weights for pictures of 28 × 28 pixels, as in TensorFlow Privacy's tutorial, "
        f"and {show(DIGITS.n_weights, 'd')} for those of 8 × 8 here."
    )
    st.markdown(
        "**Every picture's own gradient.** A layer's gradient of one picture is made from what came into the layer "
        "and from the slope of the loss at what went out. One pass gives both for the whole group. For a dense layer "
        "the length of the gradient is the product of two lengths, so the gradient itself is never written down."
    )
    st.markdown(
        "**The cap holds whatever the numbers are.** Pixels are put into [0, 1] one by one. Lengths are measured "
        "with double precision on the very numbers that are added, one hundredth of C is left for rounding, and a "
        "picture whose gradient is no finite number adds nothing."
    )


def _mnist() -> None:
    st.markdown(mnist.table())
    st.caption(
        "The published ε come from Rényi orders with the conversion of 2017, and from an account for Poisson groups, "
        "while that program shuffles. Ours draws Poisson groups, as the account assumes. MNIST here is the whole of "
        "it: 60\u202f000 pictures to learn from and 10\u202f000 to test on."
    )


def _printed() -> None:
    st.latex(
        r"\tilde g_t \leftarrow \frac1L\sum_i\big(\bar g_t(x_i) + \mathcal N(0,\sigma^2C^2 I)\big),\qquad "
        r"\theta_{t+1} \leftarrow \theta_t - \eta_t\,\tilde g_t"
    )
    st.markdown(
        "Jiang's talk puts the noise inside the bracket, which is once for every picture: the sum then has √L times "
        "more noise than it needs (page *Gradient descent*). Here it is added once. ηₜ is a step size that may "
        "change; the tab *The step size* shows a falling one beside a constant one."
    )
    st.markdown(
        "Jiang reports that the network of this kind was tried, and did not succeed. This page is that experiment."
    )


_TASKS = """
1. **How small can ε be?** Before you drag: at which ε does the network still read every second digit? Drag and let
   it learn.
2. **The cap.** Keep ε and try the smallest and the largest clipping norm. Why are both bad?
3. **Longer is not better.** At *Understand*, double the epochs at the same ε. What happens to σ, and to the private
   curve?
4. **The step size.** At *Understand*, open *The step size*. Which of the two networks ends higher?
5. **Many pictures.** At *Understand*, open *MNIST*. There are 40 times more pictures: how much less is the cost?
"""


def program(params: NetworkParams) -> str:
    """Return the program of the page with these parameters."""
    file = Path(__file__).with_name("program.py")
    return filled(file, params=f"network.{params.to_code()}")
