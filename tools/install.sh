#!/bin/sh
# tools/install.sh VENV: what a developer needs, by uv in a tenth of pip's time.
# uv does not read pip's settings, so where packages come from is handed over; where it fails all the same, pip installs.
set -eu
pip="$1/bin/pip --disable-pip-version-check"
set_for_pip() { $pip config get "$1" 2>/dev/null | tr -s ' \n' ',' | sed 's/,$//' || true; }
: "${UV_FIND_LINKS=${PIP_FIND_LINKS:-$(set_for_pip global.find-links)}}"
: "${UV_DEFAULT_INDEX=${PIP_INDEX_URL:-$(set_for_pip global.index-url)}}"
: "${SSL_CERT_FILE=${PIP_CERT:-$(set_for_pip global.cert)}}"
for name in UV_FIND_LINKS UV_DEFAULT_INDEX SSL_CERT_FILE; do
  eval "[ -z \"\$$name\" ]" || export "${name?}"
done
# Two hard links to one file would let a patched file reach every environment: files are copied.
export UV_LINK_MODE=copy
$pip install -q "$(grep '^uv==' requirements-dev.txt)"
if ! "$1/bin/uv" pip install -q --python "$1/bin/python" -r requirements-dev.txt; then
  echo "uv could not install what pip may: pip tries." >&2
  $pip install -q -r requirements-dev.txt
fi
