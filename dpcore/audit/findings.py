"""Result of the audit of one claim, and tables of such results."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dpcore.audit.bounds import AuditBound, gaussian_bound, two_worlds
from dpcore.guarantee import Guarantee

__all__ = ["COLUMNS", "Finding", "Verdict", "as_csv", "as_text", "judge"]

Verdict = Literal["holds", "BROKEN", "nominal", "nominal (exceeded)", "out of reach"]
COLUMNS = (
    "name",
    "status",
    "claimed",
    "delta",
    "n",
    "k0",
    "k1",
    "bound",
    "g0",
    "g1",
    "gaussian",
    "strict",
    "ceiling",
    "verdict",
)
"""Names of the columns in a table of findings, in order."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Result of the audit of a claimed guarantee, with the lower bounds on ε that an attack shows.

    Parameters
    ----------
    name : str
        Name of the audit.
    claim : Guarantee
        The claimed guarantee.
    bound : AuditBound
        Bound from `two_worlds`, at 95 % confidence for this single claim.
    strict : AuditBound
        Bound from the same error counts, at the confidence required for a verdict.
    gaussian, gaussian_strict : AuditBound or None
        Bounds from `gaussian_bound`, at 95 % and at the confidence required for a verdict, from the errors at another
        threshold. They are None if the mechanism is not Gaussian.
    """

    name: str
    claim: Guarantee
    bound: AuditBound
    strict: AuditBound
    gaussian: AuditBound | None = None
    gaussian_strict: AuditBound | None = None

    @property
    def demonstrated(self) -> float:
        """Largest valid lower bound on ε, at the confidence required for a verdict."""
        return max(one.epsilon_lower for one in (self.strict, self.gaussian_strict) if one)

    @property
    def ceiling(self) -> float:
        """Largest lower bound on ε that an attack without errors would show at 95 % confidence."""
        return max(one.ceiling for one in (self.bound, self.gaussian) if one)

    @property
    def verdict(self) -> Verdict:
        """Verdict on the claim.

        - "BROKEN": a proved claim is refuted.
        - "holds": an attack without errors could have refuted the claim, but the attack did not.
        - "out of reach": even an attack without errors could not have refuted the claim.
        - "nominal": the claimed ε is a number without a proof, and it is not refuted.
        - "nominal (exceeded)": the claimed ε is a number without a proof, and it is refuted.
        """
        claimed, valid = self.claim.epsilon, [self.strict, self.gaussian_strict]
        broken = any(one.refutes(claimed) for one in valid if one)
        if self.claim.status == "nominal":
            return "nominal (exceeded)" if broken else "nominal"
        if broken:
            return "BROKEN"
        able = any(one.can_refute(claimed) for one in valid if one)
        return "holds" if able else "out of reach"

    @property
    def broken(self) -> bool:
        """Whether a proved claim is refuted."""
        return self.verdict == "BROKEN"

    def row(self) -> dict[str, object]:
        """Return the table row of the finding, with one value for each column in `COLUMNS`."""
        b = self.gaussian
        values = (
            self.name, self.claim.status.replace("_", " "), self.claim.epsilon, self.claim.delta,
            self.bound.n, self.bound.k0, self.bound.k1, self.bound.epsilon_lower,
            *((b.k0, b.k1, b.epsilon_lower) if b else ("", "", "")),
            self.demonstrated, self.ceiling, self.verdict,
        )  # fmt: skip
        return dict(zip(COLUMNS, values, strict=True))


def judge(
    name: str, claim: Guarantee, k0: int, k1: int, n: int, *, strict: float,
    gaussian: tuple[int, int] | None = None,
) -> Finding:  # fmt: skip
    """Return the finding for a claim, from the error counts of an attack on it.

    Parameters
    ----------
    name : str
        Name of the audit.
    claim : Guarantee
        The attacked guarantee.
    k0, k1, n : int
        Number of false positives, number of misses, and number of releases on each data set. The threshold of the
        attack must not depend on these releases.
    strict : float
        Confidence of the verdict, in (0, 1). If there are two bounds, each has half of the false-alarm probability
        1 - ``strict``.
    gaussian : (int, int) or None
        Numbers of false positives and of misses at the threshold for `gaussian_bound`; None if that bound is invalid.

    Returns
    -------
    Finding
        The claim, with the bounds that determine the verdict.
    """
    delta = min(claim.delta, math.nextafter(1.0, 0.0))
    levels = 0.95, (strict if gaussian is None else 1 - (1 - strict) / 2)
    bound, sure = (two_worlds(k0, k1, n=n, delta=delta, confidence=level) for level in levels)
    if gaussian is None:
        return Finding(name=name, claim=claim, bound=bound, strict=sure)
    one, other = (
        gaussian_bound(*gaussian, n=n, delta=delta, curve="gaussian", confidence=level)
        for level in levels
    )
    return Finding(
        name=name, claim=claim, bound=bound, strict=sure, gaussian=one, gaussian_strict=other
    )


def as_text(findings: Sequence[Finding]) -> str:
    """Return the findings as a Markdown table whose columns are aligned for a terminal."""
    rows = [COLUMNS, tuple("-" for _ in COLUMNS)]
    rows += [tuple(_cell(value) for value in finding.row().values()) for finding in findings]
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    rows[1] = tuple("-" * width for width in widths)
    return "\n".join(
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    )


def as_csv(findings: Sequence[Finding]) -> str:
    """Return the findings as CSV text, with all digits of the numbers."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(finding.row() for finding in findings)
    return out.getvalue()


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
