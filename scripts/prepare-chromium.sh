#!/usr/bin/env bash
# Provides Chromium for test/browser.test.js, from Debian's packages, where it is not there yet. Fails with one line where
# that cannot be done.
set -euo pipefail

refuse() {
  echo "no Chromium here: $1" >&2
  exit 1
}

for name in chromium chromium-browser google-chrome chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done
command -v apt-get >/dev/null || refuse 'there is no apt-get to install it'
[ "$(id -u)" = 0 ] || refuse 'only root may install it'
log=$(mktemp)
{
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
} >"$log" 2>&1 || refuse "apt-get failed: $(tail -n 1 "$log")"
rm -f "$log"
