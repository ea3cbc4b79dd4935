"""Docstrings of what the topics of dpcore offer: whose method it is, and what stands beside it."""

import importlib
import inspect
import re

import pytest
from numpydoc.docscrape import ClassDoc, FunctionDoc
from numpydoc.validate import validate
from sklearn.base import BaseEstimator

from dpcore import accounting, audit, mechanisms

TOPICS = (
    "mechanisms", "accounting", "descent", "lvq", "regression", "autoencoder", "kahm", "audit",
)  # fmt: skip
YEAR = re.compile(r"\b[A-Z][\w-]+(?: et al\.)?,? \(?((?:19|20)\d\d)\b")


def offered(topic):
    module = importlib.import_module(f"dpcore.{topic}")
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) and issubclass(value, Warning):
            continue
        if inspect.isclass(value) or inspect.isfunction(value):
            yield f"{topic}.{name}", value


OFFERED = {name: value for topic in TOPICS for name, value in offered(topic)}


def sections(value):
    read = ClassDoc if inspect.isclass(value) else FunctionDoc
    return read(value)


def siblings(parsed):
    return [name for names, _ in parsed["See Also"] for name, _ in names]


def meaning(value, name):
    """What a name means in the module of a docstring, in its package, or by its full path."""
    module = inspect.getmodule(inspect.unwrap(value)).__name__
    if name.startswith("dpcore."):
        module, _, name = name.rpartition(".")
    for place in (module, module.rpartition(".")[0]):
        loaded = importlib.import_module(place)
        if name in loaded.__all__:
            return getattr(loaded, name)
    return None


def uncited(parsed):
    """Years that the text gives to a paper which its references do not name."""
    text = "\n".join(
        [*parsed["Summary"], *parsed["Extended Summary"], *parsed["Notes"]]
        + [line for part in (*parsed["Parameters"], *parsed["Returns"]) for line in part.desc]
    )
    listed = "\n".join(parsed["References"])
    return [year for year in YEAR.findall(text) if year not in listed]


def has_an_author(name, value):
    """Mechanisms, accountants, private estimators and bounds of attacks come from a paper."""
    if inspect.isclass(value):
        return (
            issubclass(
                value, (BaseEstimator, mechanisms.Additive, mechanisms.Exponential, audit.Worlds)
            )
            or value is mechanisms.RandomizedResponse
        )
    authored = (
        accounting.epsilon, accounting.spent, accounting.noise_multiplier, accounting.basic,
        accounting.advanced, accounting.optimal, accounting.amplified, accounting.loss_tail,
        audit.two_worlds, audit.one_run, audit.gaussian_bound, audit.bayesian_interval,
        audit.membership_scores,
    )  # fmt: skip
    private = (
        r"regression\.(?:ada_ssp|functional|gauss|grad|joint|output)|kahm\.(?:fabricate|smooth)$"
    )
    return value in authored or bool(re.match(private, name))


def test_the_readers_of_docstrings_can_find_something():
    def lone() -> None:
        """Do as Dwork and Roth (2014) and as Wang 2018 do.

        References
        ----------
        C. Dwork and A. Roth, 2014.
        """

    parsed = sections(lone)
    assert siblings(parsed) == []
    assert uncited(parsed) == ["2018"]
    assert meaning(mechanisms.gaussian_sigma, "Laplace") is mechanisms.Laplace
    assert meaning(mechanisms.gaussian_sigma, "dpcore.accounting.spent") is accounting.spent
    assert meaning(mechanisms.gaussian_sigma, "laplace_sigma") is None


@pytest.mark.parametrize("name", OFFERED)
def test_siblings_are_named_and_exist(name):
    value = OFFERED[name]
    named = siblings(sections(value))
    assert named, "no See Also"
    for sibling in named:
        found = meaning(value, sibling)
        assert found is not None, sibling
        assert found is not value, "itself"


@pytest.mark.parametrize("name", OFFERED)
def test_methods_of_papers_cite_them(name):
    parsed = sections(OFFERED[name])
    if has_an_author(name, OFFERED[name]):
        assert parsed["References"]
    assert uncited(parsed) == []


# What numpydoc asks beyond this project's rules: sections that a short docstring does without, capitals in fragments.
UNASKED = {"SA04", "PR08", "EX01", "PR01", "PR04", "ES01", "RT01", "RT03", "RT04"}


def layout_errors(name, parsed):
    """What numpydoc finds in the layout; parameters that share a line may stand in another order."""
    shared_line = any("," in part.name for part in parsed["Parameters"])
    asked = UNASKED | ({"PR03"} if shared_line else set())
    return [error for error in validate(name)["errors"] if error[0] not in asked]


@pytest.mark.parametrize("name", OFFERED)
def test_sections_are_laid_out_as_numpydoc_reads_them(name):
    assert layout_errors(f"dpcore.{name}", sections(OFFERED[name])) == []


def misplaced(first, second):
    """Return nothing that stands where it should.

    Parameters
    ----------
    second : int
        It comes first.
    third : int
        It is no parameter.

    Surprise
    --------
    An unknown section.
    """


def test_a_wrong_layout_is_seen():
    with pytest.warns(UserWarning, match="Unknown section"):
        errors = layout_errors(f"{__name__}.misplaced", sections(misplaced))
    assert {"PR02"} <= {code for code, _ in errors}
