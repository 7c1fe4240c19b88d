#!/usr/bin/env bash
# Makes DIR/nats-server, which the tests of packages/cluster need. Needs Go and the module proxy that Go is configured for; a
# server of that version that is there already is left as it is. Fails with one line where it cannot.
#
#   scripts/prepare-nats.sh DIR
#   SWINGSET_RUNNER_NATS_SERVER=DIR/nats-server npx ava 'packages/cluster/test/*.test.js'
set -euo pipefail

dir=${1:?which directory? scripts/prepare-nats.sh DIR}
version=v2.15.2
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

refuse() {
  echo "no nats-server here: $1" >&2
  exit 1
}

if [ -x "$dir/nats-server" ] && [ "$("$dir/nats-server" --version)" = "nats-server: $version" ]; then exit 0; fi
command -v go >/dev/null || refuse 'go is not installed'
GOBIN=$dir go install "github.com/nats-io/nats-server/v2@$version" >"$dir/go.log" 2>&1 ||
  refuse "go install failed: $(tail -n 1 "$dir/go.log")"
"$dir/nats-server" --version >/dev/null || refuse 'it does not run'
