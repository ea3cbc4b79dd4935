#!/bin/sh
# tools/uv.sh VENV WORDS...: the uv of an environment, with pip's settings.
# uv does not read pip's settings, so where packages come from is handed over.
set -eu
home=$1
shift
set_for_pip() { "$home/bin/pip" config get "$1" 2>/dev/null | tr -s ' \n' ',' | sed 's/,$//' || true; }
: "${UV_FIND_LINKS=${PIP_FIND_LINKS:-$(set_for_pip global.find-links)}}"
: "${UV_DEFAULT_INDEX=${PIP_INDEX_URL:-$(set_for_pip global.index-url)}}"
: "${SSL_CERT_FILE=${PIP_CERT:-$(set_for_pip global.cert)}}"
for name in UV_FIND_LINKS UV_DEFAULT_INDEX SSL_CERT_FILE; do
  eval "[ -z \"\$$name\" ]" && unset "$name" || export "${name?}"
done
# Two hard links to one file would let a patched file reach every environment: files are copied.
export UV_LINK_MODE=copy
exec "$home/bin/uv" "$@"
