"""Build the distributions of `dpcore` and of the application: ``python -m tools.wheels FOLDER``.

Each is built as a source distribution, and the wheel from that. The application's version is that of the library.
With ``--prepared`` the application contains results that were computed by ``python -m pages prepare``, with which its
pages open.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

__all__ = ["build", "main"]

ROOT = Path(__file__).resolve().parent.parent
_PARTS = (
    "dpcore", "pages", "ui", "assets", ".streamlit", "docs", "explorer", "app.py", "pyproject.toml", "README.md",
    "LICENSE", "CITATION.cff", "MANIFEST.in", "requirements.txt",
)  # fmt: skip


def build(out: Path, *, prepared: Path | None = None, root: Path = ROOT) -> list[Path]:
    """Build both distributions from a copy of the project, and return their files.

    Parameters
    ----------
    out : Path
        Folder for the files.
    prepared : Path, optional
        Cache folder with the results that the application contains.
    root : Path
        Folder of the project.
    """
    with tempfile.TemporaryDirectory() as copy:
        project = Path(copy)
        for name in _PARTS:
            _copy(root / name, project / name)
        if prepared is not None:
            _copy(prepared / "results", project / "explorer" / "prepared" / "results")
        for folder in (project, project / "explorer"):
            _run_uv("build", "-q", "--out-dir", str(out), str(folder))
    return sorted(file for file in out.iterdir() if file.suffix in (".whl", ".gz"))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        unwanted = shutil.ignore_patterns("__pycache__", "_build", "build", "dist", "*.egg-info")
        shutil.copytree(source, target, ignore=unwanted)
    else:
        shutil.copy(source, target)


def _run_uv(*words: str) -> None:
    """Run uv with the build backend of this environment, which needs no network."""
    command = [
        str(Path(sys.executable).with_name("uv")), *words,
        "--no-build-isolation", "--offline", "--python", sys.executable,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"uv could not build:\n{done.stderr}")


def main(words: Sequence[str] | None = None) -> int:
    """Build both distributions, and print the files with their sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="folder for the files")
    parser.add_argument("--prepared", type=Path, help="cache folder with results for the wheel")
    args = parser.parse_args(words)
    for file in build(args.out, prepared=args.prepared):
        print(f"{file}  {file.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
