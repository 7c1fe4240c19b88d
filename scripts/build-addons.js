// Compiles the addon of packages/native for every system that the package has a file for, on any one of them:
//
//   pip install ziglang && node scripts/build-addons.js python3 -m ziglang
//   node scripts/build-addons.js zig
//
// The arguments are the command that runs zig. The files and their fingerprints go to packages/native/prebuilt; a
// test says when they are older than the sources.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileAddon, hashSources } from '../packages/native/compile-addon.js';

/** Linux without a system below it: no C library is linked, and so one file serves glibc and musl. */
const targets = {
  'linux-x64': 'x86_64-linux-none',
  'linux-arm64': 'aarch64-linux-none',
  'darwin-x64': 'x86_64-macos.11.0',
  'darwin-arm64': 'aarch64-macos.11.0',
  'win32-x64': 'x86_64-windows-gnu',
};

const out = fileURLToPath(new URL('../packages/native/prebuilt', import.meta.url));
const zig = process.argv.slice(2);
if (zig.length === 0) {
  console.error('which zig? node scripts/build-addons.js zig, or: … python3 -m ziglang');
  process.exit(2);
}
const [command, ...args] = zig;
const version = execFileSync(command, [...args, 'version'], { encoding: 'utf8' }).trim();

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out);
/** @type {Record<string, string>} */
const files = {};
for (const [name, target] of Object.entries(targets)) {
  const file = `${name}.node`;
  compileAddon({
    out: join(out, file),
    platform: name.split('-')[0],
    compiler: [...zig, 'cc', '-target', target],
  });
  const bytes = fs.readFileSync(join(out, file));
  files[file] = createHash('sha256').update(bytes).digest('hex');
  console.log(`${file}: ${bytes.length} bytes`);
}
// A library for linking against the addon, which nobody does.
for (const name of fs.readdirSync(out)) if (!(name in files)) fs.rmSync(join(out, name));
const manifest = { compiler: `zig ${version}`, sources: hashSources(), files };
fs.writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
