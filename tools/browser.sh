#!/bin/sh
# Makes sure that what the tests take from the system is there, a Chromium and an nginx, through its
# package manager when that is allowed; and a Firefox, without which its tests are skipped.
set -eu
PATH="$PATH:/usr/sbin:/usr/local/sbin"
missing=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
  command -v google-chrome >/dev/null 2>&1 || missing="chromium"
command -v nginx >/dev/null 2>&1 || missing="$missing nginx-light"
command -v openssl >/dev/null 2>&1 || missing="$missing openssl"
firefox=""
command -v firefox-esr >/dev/null 2>&1 || command -v firefox >/dev/null 2>&1 || firefox="firefox-esr"
if [ -z "$missing$firefox" ]; then exit 0; fi
give_up() { # says why; only what the tests cannot do without ends them
  echo "$1" >&2
  [ -z "$missing" ] && exit 0 || exit 1
}
command -v apt-get >/dev/null 2>&1 ||
  give_up "The tests take from the PATH: $missing $firefox. Install with your package manager."
run=""
if [ "$(id -u)" != 0 ]; then
  sudo -n true 2>/dev/null || give_up "The tests take: sudo apt-get install $missing $firefox"
  run="sudo -n"
fi
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq >/dev/null || give_up "The package manager found nothing: $missing $firefox"
if [ -n "$missing" ]; then $run apt-get install -y -qq $missing >/dev/null; fi
missing=""
if [ -n "$firefox" ]; then
  $run apt-get install -y -qq --no-install-recommends "$firefox" >/dev/null 2>&1 ||
    give_up "No $firefox is to be had here: the tests in Firefox are skipped."
fi
