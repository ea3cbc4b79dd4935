"""The shape of the interface: keyword-only arguments, one order, one name for one thing, lists of names that work."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator

import dpcore
from dpcore import accounting, mechanisms

ORDER = ("epsilon", "delta", "noise_multiplier", "sample_rate", "n_steps")
LAZY = [
    "dpcore",
    *(f"dpcore.{name}" for name in ("autoencoder", "descent", "kahm", "lvq", "regression")),
]


def packages():
    """The subpackages whose public names are called: not what is inside of them, not the app's experiments."""
    yield dpcore
    for info in pkgutil.iter_modules(dpcore.__path__, "dpcore."):
        if not info.name.rpartition(".")[2].startswith("_") and info.name != "dpcore.experiments":
            yield importlib.import_module(info.name)


def estimators():
    found = {
        value
        for module in packages()
        for value in (getattr(module, name) for name in getattr(module, "__all__", ()))
        if inspect.isclass(value) and issubclass(value, BaseEstimator)
    }
    return sorted(found, key=lambda one: one.__name__)


def positional(function):
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in inspect.signature(function).parameters.values() if p.kind in kinds]


def functions(module):
    names = getattr(module, "__all__", ())
    return [value for name in names if inspect.isfunction(value := getattr(module, name))]


FUNCTIONS = sorted(
    {one for module in packages() for one in functions(module)},
    key=lambda one: (one.__module__, one.__name__),
)


@pytest.mark.parametrize("estimator", estimators(), ids=lambda one: one.__name__)
def test_estimators_take_keywords_alone(estimator):
    assert positional(estimator) == []


def test_there_are_estimators():
    assert len(estimators()) >= 17


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_at_most_two_arguments_stand_without_their_names(function):
    assert len(positional(function)) <= 2


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_parameters_of_an_account_have_one_order(function):
    names = [name for name in inspect.signature(function).parameters if name in ORDER]
    assert names == sorted(names, key=ORDER.index)


def test_no_name_means_two_things():
    assert not set(accounting.__all__) & set(mechanisms.__all__)


@pytest.mark.parametrize("name", LAZY)
def test_every_name_is_listed_and_loads(name):
    module = importlib.import_module(name)
    assert set(module.__all__) <= set(dir(module))
    for one in module.__all__:
        assert getattr(module, one) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(module, "no_such_" + "name")
