"""Put the application's own packages on the path of modules, when this module is imported.

They lie in this folder where the application is installed, and beside ``explorer/`` in the project itself.
"""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["HOME"]

_HERE = Path(__file__).resolve().parent
HOME = _HERE if (_HERE / "app.py").exists() else _HERE.parents[1]
"""Folder with the packages ``pages`` and ``ui``."""


def _refuse_others() -> None:
    """Raise an ImportError if other packages with these names are loaded."""
    for name in ("pages", "ui"):
        loaded = sys.modules.get(name)
        places = [Path(path).resolve() for path in getattr(loaded, "__path__", ())]
        if loaded is not None and HOME / name not in places:
            where = places[0] if places else getattr(loaded, "__file__", None)
            raise ImportError(
                f"A module “{name}” is loaded already, from {where}. DP Explorer has a package of this name: "
                "start Python again, and import dp_explorer first."
            )


_refuse_others()
if str(HOME) not in sys.path:
    sys.path.insert(0, str(HOME))
