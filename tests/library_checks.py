"""What an installed library has to do in an environment without the project: examples, and scikit-learn's checks.

``python library_checks.py guide FOLDER`` runs the examples in a folder of documents, and
``python library_checks.py estimators`` scikit-learn's checks of the estimators at the top level of `dpcore`. Where
torch or anywidget is absent, what needs it is left out. The last line is one JSON object.
"""

import doctest
import inspect
import json
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

import dpcore

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
NEEDS = {"network.md": "torch", "notebook.md": "anywidget"}


def examples(folder: Path) -> dict[str, object]:
    """Run the examples of the documents in a folder; return how many failed in which."""
    warnings.simplefilter("ignore", dpcore.SeededNoiseWarning)
    failed, tried, left_out = {}, 0, []
    for file in sorted(folder.glob("*.md")):
        need = NEEDS.get(file.name)
        if need and find_spec(need) is None:
            left_out.append(file.name)
            continue
        found = doctest.testfile(str(file), module_relative=False, optionflags=OPTIONS)
        tried += found.attempted
        if found.failed:
            failed[file.name] = found.failed
    return {"tried": tried, "failed": failed, "left_out": left_out}


def estimators() -> dict[str, object]:
    """Run scikit-learn's checks of all estimators with their default parameters; return what failed."""
    from sklearn.base import BaseEstimator
    from sklearn.utils.estimator_checks import check_estimator

    warnings.simplefilter("ignore")
    names = [name for name in dpcore.__all__ if inspect.isclass(getattr(dpcore, name))]
    kinds = [getattr(dpcore, name) for name in names]
    failed, tried = {}, []
    for kind in kinds:
        if not issubclass(kind, BaseEstimator):
            continue
        tried.append(kind.__name__)
        try:
            check_estimator(kind())
        except Exception as error:
            failed[kind.__name__] = f"{type(error).__name__}: {error}"[:300]
    return {"tried": tried, "failed": failed}


if __name__ == "__main__":
    what, *folder = sys.argv[1:]
    print(json.dumps(examples(Path(*folder)) if what == "guide" else estimators()))
