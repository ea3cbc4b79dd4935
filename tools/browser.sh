#!/bin/sh
# Makes sure that what the tests take from the system is there, a Chromium and an nginx, through its
# package manager when that is allowed.
set -eu
PATH="$PATH:/usr/sbin:/usr/local/sbin"
missing=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
  command -v google-chrome >/dev/null 2>&1 || missing="chromium"
command -v nginx >/dev/null 2>&1 || missing="$missing nginx-light"
command -v openssl >/dev/null 2>&1 || missing="$missing openssl"
if [ -z "$missing" ]; then exit 0; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "The tests need, on the PATH: $missing. Install with your package manager." >&2
  exit 1
fi
run=""
if [ "$(id -u)" != 0 ]; then
  if ! sudo -n true 2>/dev/null; then
    echo "The tests need: sudo apt-get install $missing" >&2
    exit 1
  fi
  run="sudo -n"
fi
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq >/dev/null
$run apt-get install -y -qq $missing >/dev/null
