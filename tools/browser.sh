#!/bin/sh
# Makes sure that what the tests take from the system is there, a Chromium and an nginx, through its
# package manager when that is allowed; and a Firefox and PostgreSQL, without which their tests are skipped.
set -eu
PATH="$PATH:/usr/sbin:/usr/local/sbin"
missing=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
  command -v google-chrome >/dev/null 2>&1 || missing="chromium"
command -v nginx >/dev/null 2>&1 || missing="$missing nginx-light"
command -v openssl >/dev/null 2>&1 || missing="$missing openssl"
useful=""
command -v firefox-esr >/dev/null 2>&1 || command -v firefox >/dev/null 2>&1 || useful="firefox-esr"
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
  useful="$useful postgresql"
if [ -z "$missing$useful" ]; then exit 0; fi
give_up() { # says why; only what the tests cannot do without ends them
  echo "$1" >&2
  [ -z "$missing" ] && exit 0 || exit 1
}
command -v apt-get >/dev/null 2>&1 ||
  give_up "The tests take from the PATH: $missing $useful. Install with your package manager."
run=""
if [ "$(id -u)" != 0 ]; then
  sudo -n true 2>/dev/null || give_up "The tests take: sudo apt-get install $missing $useful"
  run="sudo -n"
fi
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq >/dev/null || give_up "The package manager found nothing: $missing $useful"
if [ -n "$missing" ]; then $run apt-get install -y -qq $missing >/dev/null; fi
missing=""
for name in $useful; do
  $run apt-get install -y -qq --no-install-recommends "$name" >/dev/null 2>&1 ||
    echo "No $name is to be had here: its tests are skipped." >&2
done
