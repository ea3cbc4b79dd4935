#!/bin/sh
# Runs every benchmark in an environment of its own (Opacus is a peer, not a dependency).
# diffprivlib needs an older scikit-learn than ours, hence one more.
set -eu
if [ ! -f .venv-bench/.made ]; then
  "${PYTHON:-python3}" -m venv .venv-bench
  .venv-bench/bin/pip install --disable-pip-version-check -q -r benchmarks/requirements.txt
  touch .venv-bench/.made
fi
if [ ! -f .venv-peer/.made ]; then
  "${PYTHON:-python3}" -m venv .venv-peer
  .venv-peer/bin/pip install --disable-pip-version-check -q -r benchmarks/peers/requirements.txt
  touch .venv-peer/.made
fi
for program in benchmarks/*.py; do
  echo "== $program"
  .venv-bench/bin/python "$program"
done
