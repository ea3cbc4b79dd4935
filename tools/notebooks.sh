#!/bin/sh
# Makes an environment with JupyterLab and marimo for the tests of figures in notebooks. They use packages of the
# project's environment, and are not among its own: both bring many.
set -eu
home=.venv-notebooks
if [ ! -f "$home/.made" ]; then
  "${PYTHON:-python3}" -m venv "$home"
  "$home/bin/pip" install --disable-pip-version-check -q -r tests/browser/notebooks.txt
  "$home/bin/python" - <<'CODE'
import sysconfig
from pathlib import Path

(found,) = Path(".venv").resolve().glob("lib/python*/site-packages")
Path(sysconfig.get_path("purelib"), "project.pth").write_text(f"{found}\n", "utf-8")
CODE
  touch "$home/.made"
fi
