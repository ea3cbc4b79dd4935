"""Formulas in plain sentences, such as e^(ε·u/Δ) or √(2k ln(1/δ′)), typeset by KaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["typeset"]

_SIGNS = {
    "ε": r"\varepsilon ", "δ": r"\delta ", "Δ": r"\Delta ", "σ": r"\sigma ", "Φ": r"\Phi ", "μ": r"\mu ", "λ":
    r"\lambda ", "η": r"\eta ", "Ω": r"\Omega ", "Λ": r"\Lambda ", "κ": r"\kappa ", "β": r"\beta ", "π": r"\pi ", "∞":
    r"\infty ", "…": r"\ldots ", "½": r"\tfrac12 ", "¼": r"\tfrac14 ",
}  # fmt: skip
_BETWEEN = {
    "=": "=", "≤": r"\le ", "≥": r"\ge ", "<": "<", ">": ">", "+": "+", "−": "-", "·": r"\cdot ", "/": "/",
    "×": r"\times ", "∈": r"\in ", "±": r"\pm ", "≈": r"\approx ",
}  # fmt: skip
_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_HIGH = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀ", "0123456789-+T")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:\u202f\d{3})*")
_BOLD = re.compile(r"\*\*(−?\d+(?:\.\d+)?)\*\*")
_FUNCTION = re.compile(r"(?:ln|log|exp)(?![A-Za-z])")
_LETTER = re.compile(r"[A-Za-z](?![A-Za-z])")
_AFTER_SUM = re.compile(r"[a-z]{2}(?![A-Za-z])")
_WORDS = re.compile(r"\(([a-z]+(?: [a-z]+)*)\)")
_KEPT = re.compile(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)")  # code, formulas of the author, addresses
_WORD_LIKE = re.compile(r"[\w’']")
_ARTICLES = "aAI"  # single letters that are words
_DEEPEST = (
    8  # brackets in brackets, or signs that open something, beyond which a text is left as it is
)


def typeset(text: str) -> str:
    """Return a plain sentence as Markdown, with its formulas enclosed in dollar signs.

    A single letter counts as a quantity, except for the words a, A and I. A number that is not part of a formula is
    unchanged.

    Examples
    --------
    >>> typeset("The scale is b = Δ/ε, as e^(−ε|y|/Δ) shows.")
    'The scale is $b=\\\\Delta /\\\\varepsilon$, as $e^{-\\\\varepsilon |y|/\\\\Delta }$ shows.'
    """
    if _depth(text) > _DEEPEST:
        return text
    found, at, i = [], 0, 0
    while i < len(text):
        kept = _KEPT.match(text, i)
        formula = None if kept or not _begins(text, i) else _formula(text, i)
        if formula is not None:
            found += [text[at:i], f"${formula.latex.strip()}$"]
            i = at = formula.end
        else:
            i = kept.end() if kept else i + 1
    return "".join([*found, text[at:]])


def _depth(text: str) -> int:
    """Return an upper estimate of the nesting depth of every paragraph.

    It is the larger of two numbers:

    - the depth of nested brackets in the text;
    - a quarter of the number of bars and roots in the paragraph with most of them.
    """
    deepest = depth = 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        deepest = max(deepest, depth)
    bars = max(len(re.findall("[|‖√]", part)) for part in text.split("\n\n"))
    return max(deepest, bars // 4)


@dataclass(frozen=True)
class _Read:
    """Result of parsing a part of a formula.

    - ``latex``: the part in LaTeX.
    - ``end``: index in the text after the part.
    - ``plain``: whether the part is only a number or a word.
    """

    latex: str
    end: int
    plain: bool = False


def _begins(text: str, i: int) -> bool:
    return not text[i].isspace() and (i == 0 or not _WORD_LIKE.match(text[i - 1]))


def _formula(text: str, i: int) -> _Read | None:
    """Return the formula that begins at index ``i`` of the text.

    Return None if a word or a bare number begins there.
    """
    found = _sum(text, i)
    if found is None or found.plain or (text[i] == "*" and "=" not in found.latex):
        return None
    inside = found.end < len(text) and re.match(r"[A-Za-z0-9’']", text[found.end])
    return None if inside or text[i : found.end] in _ARTICLES else found


def _sum(text: str, i: int, *, bar: bool = False) -> _Read | None:
    """Parse terms joined by operators or relations.

    With ``bar``, the bar of a conditional probability also joins terms. Return None if no term begins at index ``i``
    of the text.
    """
    found = _signed(text, i)
    while found is not None:
        between = re.compile(r" ?([=≤≥<>+−·/×∈±≈]) ?").match(text, found.end)
        condition = None if between or not bar else re.compile(r" \| ").match(text, found.end)
        sign = _BETWEEN[between[1]] if between else r"\mid " if condition else ""
        after = between or condition
        following = _signed(text, after.end(), operand=True) if after else None
        if following is None:
            break
        found = _Read(f"{found.latex}{sign}{following.latex}", following.end)
    return found


def _signed(text: str, i: int, *, operand: bool = False) -> _Read | None:
    sign = text[i : i + 1]
    if sign in ("−", "±"):
        found = _term(text, i + 1, operand=operand)
        return found and _Read(f"{_BETWEEN[sign]}{found.latex}", found.end, found.plain)
    return _term(text, i, operand=operand)


def _term(text: str, i: int, *, operand: bool) -> _Read | None:
    """Parse a product without operators, such as 2kx, from index ``i``.

    Return None if no product begins there.
    """
    found = _power(text, i, operand=operand)
    while found is not None:
        space = re.compile(r" (?=ln|P\()|(?<=Σ) ").match(text, found.end)
        following = _power(text, space.end() if space else found.end, operand=False)
        if following is None or following.plain:  # L1 is a name
            break
        found = _Read(found.latex + (r"\," if space else "") + following.latex, following.end)
    return found


def _power(text: str, i: int, *, operand: bool) -> _Read | None:
    """Parse an atom with its subscripts, superscripts and primes from index ``i``.

    Return None if no atom begins there.
    """
    found = _atom(text, i, operand=operand)
    while found is not None:
        end = found.end
        if low := re.compile(r"[₀-₉]+|_([A-Za-z]+)").match(text, end):
            name = rf"\text{{{low[1]}}}" if low[1] and len(low[1]) > 1 else low[1]
            found = _Read(f"{found.latex.rstrip()}_{{{name or low[0].translate(_LOW)}}}", low.end())
        elif high := re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀ]+").match(text, end):
            power = high[0].translate(_HIGH).replace("T", r"\top")
            found = _Read(f"{found.latex.rstrip()}^{{{power}}}", high.end())
        elif text.startswith("′", end):
            found = _Read(f"{found.latex.rstrip()}'", end + 1)
        elif text.startswith("^", end):
            raised = _signed_power(text, end + 1)
            if raised is None:
                return found
            found = _Read(f"{found.latex.rstrip()}^{{{raised.latex}}}", raised.end)
        else:
            return found
    return None


def _signed_power(text: str, i: int) -> _Read | None:
    return _inside(text, i) or _power(text, i, operand=False)


def _inside(text: str, i: int) -> _Read | None:
    """Parse a group in brackets, and leave the brackets out.

    Return None if no group begins at index ``i``, and for the placeholder ( … ).
    """
    if not text.startswith("(", i) or text.startswith("( …", i):
        return None
    found = _sum(text, i + 1)
    return _Read(found.latex, found.end + 1) if found and text.startswith(")", found.end) else None


def _atom(text: str, i: int, *, operand: bool) -> _Read | None:
    """Parse a number, quantity, function, root or bracketed expression from index ``i``.

    Return None if none of these begins there.
    """
    sign = text[i : i + 1]
    if number := _NUMBER.match(text, i):
        return _Read(number[0].replace("\u202f", r"\,"), number.end(), plain=True)
    if letter := _LETTER.match(text, i):
        return _Read(letter[0], letter.end())
    if sign in ("√", "Σ"):
        return _root(text, i) if sign == "√" else _all(text, i)
    if sign in _SIGNS:
        return _Read(_SIGNS[sign], i + 1)
    return _named(text, i) or (_set_off(text, i) if operand else None) or _bracketed(text, i)


def _root(text: str, i: int) -> _Read | None:
    found = _inside(text, i + 1) or _power(text, i + 1, operand=False)
    return found and _Read(rf"\sqrt{{{found.latex}}}", found.end)


def _all(text: str, i: int) -> _Read:
    """Parse a summation sign, with letters directly after it as in Σxy."""
    letters = _AFTER_SUM.match(text, i + 1)
    return _Read(rf"\sum {letters[0] if letters else ''}", letters.end() if letters else i + 1)


def _named(text: str, i: int) -> _Read | None:
    """Parse a function with its argument, as in ln(1/δ) or ln 2.

    Return None if no function begins at index ``i``.
    """
    name = _FUNCTION.match(text, i)
    if name is None:
        return None
    space = 1 if re.compile(r" [A-Za-z0-9](?![A-Za-z])").match(text, name.end()) else 0
    found = _power(text, name.end() + space, operand=False)
    return found and _Read(rf"\{name[0]} {found.latex}", found.end)


def _set_off(text: str, i: int) -> _Read | None:
    """Parse a bold number, or words in brackets, after an operator.

    Elsewhere in a text they are not part of a formula.
    """
    if bold := _BOLD.match(text, i):
        return _Read(rf"\mathbf{{{bold[1].replace('−', '-')}}}", bold.end())
    if words := _WORDS.match(text, i):
        return _Read(rf"(\text{{{words[1]}}})", words.end())
    return None


def _bracketed(text: str, i: int) -> _Read | None:
    if text.startswith("( … )", i):
        return _Read(r"(\,\ldots\,)", i + 5)
    ends = {"(": ("(", ")"), "|": ("|", "|"), "‖": (r"\lVert ", "‖"), "[": ("[", "]")}.get(
        text[i : i + 1]
    )
    if ends is None:
        return None
    parts, at = [], i + 1
    while (found := _sum(text, at, bar=text[i] == "(")) is not None:
        parts.append(found)
        if not text.startswith(", ", found.end):
            break
        at = found.end + 2
    end = found.end + text.startswith(" ", found.end) if found else i
    if not parts or not text.startswith(ends[1], end):
        return None
    inner = r",\,".join(part.latex for part in parts)
    close = r"\rVert " if ends[1] == "‖" else ends[1]
    return _Read(f"{ends[0]}{inner}{close}", end + 1, all(part.plain for part in parts))
