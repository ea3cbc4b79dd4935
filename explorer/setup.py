"""Build ``dp-explorer``: the application's folders, which lie beside this one, go into the package ``dp_explorer``.

A source distribution has them inside the package already.
"""

import re
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
PACKAGE = "dp_explorer"
IN_PROJECT = not (HERE / PACKAGE / "app.py").exists()
PROJECT = HERE.parent if IN_PROJECT else HERE / PACKAGE
# All that the application reads when it runs.
FILES = (
    "app.py", "requirements.txt", "CITATION.cff", "pages", "ui", "assets", ".streamlit", "docs/table1.md",
    "docs/sweep.csv", "docs/sweep_whole.npz", "docs/figure1.csv", "docs/matrix_noise.csv",
)  # fmt: skip
PREPARED = HERE / "prepared"  # what pages open with, computed before the build (tools/wheels.py)
# The application uses parts of Streamlit that other versions may lack.
RANGES = {
    "streamlit": "~=1.67.0", "plotly": ">=6,<8", "pandas": ">=2.2,<4", "sqlalchemy": ">=2.0,<3", "segno": ">=1.6,<2",
}  # fmt: skip
OPTIONAL = {"torch": "torch", "psycopg[binary]": "postgres"}  # package and its extra


def version() -> str:
    """Return the version of the library, which is that of the application."""
    source = HERE.parent / "dpcore" / "__init__.py" if IN_PROJECT else HERE / "PKG-INFO"
    found = re.search(r'^(?:__version__ = "|Version: )([^"\n]+)', source.read_text("utf-8"), re.M)
    assert found, source
    return found[1]


def pins() -> dict[str, str]:
    """Return the exact version of each requirement with which the application is tested."""
    lines = (PROJECT / "requirements.txt").read_text("utf-8").split()
    return dict(line.split("==") for line in lines)


def requirements() -> list[str]:
    """Return the requirements as ranges; the library has those for its own."""
    return [f"dpcore=={version()}", *(f"{name}{versions}" for name, versions in RANGES.items())]


def extras() -> dict[str, list[str]]:
    """Return the optional requirements, and the exact versions of all others as the extra ``pinned``."""
    exact = [f"{name}=={one}" for name, one in pins().items() if name not in OPTIONAL]
    return {
        "torch": [f"dpcore[torch]=={version()}"],
        "postgres": ["psycopg[binary]>=3.2,<4"],
        "notebook": ["anywidget>=0.9,<0.12"],
        "pinned": exact,
    }


def fill(target: Path) -> None:
    """Copy the application into a folder of the package, with the scripts that it serves."""
    unwanted = shutil.ignore_patterns("__pycache__", *(["live-*"] if IN_PROJECT else []))
    for name in FILES:
        source, place = PROJECT / name, target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, place, ignore=unwanted, dirs_exist_ok=True)
        else:
            shutil.copy(source, place)
    prepared = PREPARED if IN_PROJECT else PROJECT / "prepared"
    if prepared.is_dir():
        shutil.copytree(prepared, target / "prepared", dirs_exist_ok=True)
    if IN_PROJECT:
        sys.path.insert(0, str(PROJECT))
        from ui.web.static_files import publish  # where it is installed, nobody may write

        publish(target / "pages" / "static")


class Build(build_py):
    """Build the package with the application inside."""

    def run(self) -> None:
        """Copy the package and the application to the folder of the build."""
        target = Path(self.build_lib) / PACKAGE
        shutil.rmtree(target, ignore_errors=True)  # of an older build
        super().run()
        fill(target)


class Source(sdist):
    """Build a source distribution with the application inside."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Copy the package and the application to the folder that is packed."""
        super().make_release_tree(base_dir, files)
        fill(Path(base_dir) / PACKAGE)


setup(
    version=version(),
    install_requires=requirements(),
    extras_require=extras(),
    cmdclass={"build_py": Build, "sdist": Source},
)
