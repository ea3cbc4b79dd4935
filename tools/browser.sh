#!/bin/sh
# Makes sure that a Chromium is there, through the system's package manager when that is allowed.
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if ! command -v apt-get >/dev/null 2>&1; then
  echo "The browser tests need Chromium on the PATH: install it with your package manager." >&2
  exit 1
fi
run=""
if [ "$(id -u)" != 0 ]; then
  if ! sudo -n true 2>/dev/null; then
    echo "The browser tests need Chromium: sudo apt-get install chromium" >&2
    exit 1
  fi
  run="sudo -n"
fi
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq >/dev/null
$run apt-get install -y -qq chromium >/dev/null
