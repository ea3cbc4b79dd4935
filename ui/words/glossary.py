"""The words of the field, each with one explanation, for every page that uses it.

A text marks a word as ``[[adversary]]``, or ``[[adversary|attackers]]`` where it reads otherwise. The
first mark of a word on a page becomes a button with the explanation and a link to all words, on Home:
hover, tap or key.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection

__all__ = ["MARK", "TERMS", "anchor", "first_marks", "link", "marked", "plain", "to_html"]

MARK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
TERMS = {
    "differential privacy": "A promise: whether or not you take part, no result gets much likelier. ε says how much.",
    "adversary": "Somebody who sees the published result and wants to learn about one person. We assume that they "
    "know everything else.",
    "canary": "A record that an auditor makes up and puts into the data, to see whether it shows in the result.",
    "data curator": "The person or institution that holds the data, and is trusted with it.",
    "privacy parameter": "ε bounds what taking part adds: one record may make a result likelier by a factor of at "
    "most e^ε, up to the exceptions that δ allows. Small is private. What a group has in common, ε does not hide.",
    "privacy loss": "The logarithm of how much likelier a result is with a record than without it. Each result has "
    "its own loss. ε bounds them all where δ is 0.",
    "privacy budget": "The total ε that may be spent on a person's data. Every answer uses up a part of it.",
    "sensitivity": "How far one person can move the answer. Noise is measured against it.",
    "noise": "A random number that is added on purpose, so that the exact answer stays hidden.",
    "Laplace noise": "Random numbers, mostly small and seldom large. Their spread is the sensitivity divided by ε.",
    "Gaussian noise": "Random numbers in the shape of a bell. They need a small δ beside ε.",
    "randomized response": "Everybody answers truly or by chance, as a coin decides. "
    "One answer alone proves nothing.",
    "neighbouring data": "Two data sets that differ in one record. "
    "At small ε, private results hardly tell them apart.",
    "mechanism": "A recipe that turns data into a published result, with chance in it.",
    "composition": "What several answers cost together.",
    "advanced composition": "A bound on what many answers cost together. It allows a small δ more, and then grows "
    "with the root of their number while each answer costs little.",
    "post-processing": "Whatever is computed from a private result stays as private as it was.",
    "functional mechanism": "Noise goes into the function that a model minimises, not into the model itself "
    "(Zhang and others, 2012).",
    "exact sensitivity": "How far one person can really move the published numbers, instead of a bound on it that is "
    "easier to prove. A smaller number means less noise for the same ε.",
    "Gaussian sums": "A regression from sums over all people, published once with Gaussian noise on all of them.",
    "adaptive ridge": "AdaSSP (Wang, 2018) makes a regression from noisy sums. It holds back large weights the more, "
    "the less the noisy sums say.",
    "gradient": "The direction in which one person's record wants to change the model, and how strongly.",
    "clipping": "Shortening each gradient that is longer than a limit C to the length C, "
    "so that no record counts for more.",
    "prototype": "A typical point of a class. New cases get the class of the nearest prototype.",
    "relevance": "How much one feature counts when distances are measured.",
    "test accuracy": "The share of cases, not used for learning, that get the right class.",
    "membership attack": "A test of whether a certain person was in the data that a model learned from.",
    "local privacy": "Everybody adds the noise before sending anything, so that nobody has to be trusted.",
    "central privacy": "A trusted curator sees the data and adds the noise once, to the result.",
    "regularisation": "Holding back large weights. It makes a model smoother, and less dependent on one person.",
    "autoencoder": "A network that learns to squeeze data into few numbers, and to rebuild it from them.",
    "affine hull": "All points that can be reached by weighing given points with weights that sum to one.",
    "KAHM": "Kernel affine hull machine. It learns the shape of each class. "
    "A new case gets the class whose shape is nearest.",
    "1-NN": "Nearest neighbour: a new case gets the class of the one known case that is most like it.",
    "SVM": "Support vector machine: it looks for the border that leaves the widest gap between two classes.",
    "prior": "What somebody believes before seeing the result.",
}
"""One sentence or two a term: the only explanation it has anywhere."""
MORE = "All words"


def anchor(term: str) -> str:
    """Return the name of a term's place among all words: the one that Streamlit gives to its heading.

    >>> anchor("Laplace noise")
    'laplace-noise'
    """
    return term.lower().replace(" ", "-")


def link(term: str) -> str:
    """Return the address of a term among all words, as seen from any page.

    >>> link("noise")
    './?words=open#noise'
    """
    return f"./?words=open#{anchor(term)}"


def plain(text: str) -> str:
    """Return a text without its marks.

    >>> plain("an [[adversary]], or two [[adversary|attackers]]")
    'an adversary, or two attackers'
    """
    return MARK.sub(lambda found: found[2] or found[1], text)


def marked(text: str) -> list[str]:
    """Return the terms that a text marks, in their order.

    >>> marked("more [[noise]], less [[privacy loss|loss]]")
    ['noise', 'privacy loss']
    """
    return [found[1] for found in MARK.finditer(text)]


def first_marks(text: str, seen: Collection[str] = ()) -> str:
    """Return a text in which only the first mark of each term is left, and none of those in ``seen``.

    Raises
    ------
    KeyError
        When a term has no explanation.
    """
    known = set(seen)

    def keep(found: re.Match[str]) -> str:
        term = found[1]
        if term not in TERMS:
            raise KeyError(f"the glossary does not explain “{term}”")
        if term in known:
            return found[2] or term
        known.add(term)
        return found[0]

    return MARK.sub(keep, text)


def to_html(text: str, *, prefix: str) -> str:
    """Return a text as HTML, its marked words as buttons that explain themselves.

    ``prefix`` makes the names of the explanations unique in the page. Two stars make bold.
    """
    parts: list[str] = []
    end = 0
    for k, found in enumerate(MARK.finditer(text)):
        parts.append(_escaped(text[end : found.start()]))
        term, here = found[1], found[2] or found[1]
        name = f"{prefix}-{k}"
        parts.append(
            f'<span class="dp-term-box"><button type="button" class="dp-term" aria-describedby="{name}">'
            f'{html.escape(here)}</button><span class="dp-tip"><span role="tooltip" id="{name}">'
            f'{html.escape(TERMS[term])}</span> <a href="{link(term)}" target="_blank">{MORE}</a></span></span>'
        )
        end = found.end()
    return "".join([*parts, _escaped(text[end:])])


def _escaped(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html.escape(text))
