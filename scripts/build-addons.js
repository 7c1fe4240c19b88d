// Compiles the addon of packages/native for every system that the package has a file for, on any one of them, and with
// --verify only compares: whoever has the named version of zig can make sure that the files come from the sources.
//
//   pip install ziglang==VERSION        the version is named in packages/native/prebuilt/manifest.json
//   npm run prebuild                    makes files and fingerprints anew, with `python3 -m ziglang`
//   npm run prebuild -- --verify        compiles in a temporary directory, and compares bit for bit
//   npm run prebuild -- --verify zig    with another command that runs zig
//
// Files that differ between two builds in different directories are not written: nobody could verify them.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { compileAddon, hashSources } from '../packages/native/compile-addon.js';
import { prebuiltDir } from '../packages/native/load-addon.js';

/** Linux without a system below it: no C library is linked, and so one file serves glibc and musl. */
const targets = {
  'linux-x64': 'x86_64-linux-none',
  'linux-arm64': 'aarch64-linux-none',
  'darwin-x64': 'x86_64-macos.11.0',
  'darwin-arm64': 'aarch64-macos.11.0',
  'win32-x64': 'x86_64-windows-gnu',
};

const manifestFile = join(prebuiltDir, 'manifest.json');

/** @param {string} text @returns {never} */
const end = text => {
  console.error(text);
  process.exit(1);
};

/** @param {string[]} zig  the command @returns {string} as the manifest names it */
const nameCompiler = ([command, ...args]) => {
  try {
    return `zig ${execFileSync(command, [...args, 'version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()}`;
  } catch {
    const { compiler } = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
    const version = compiler.replace(/^zig /, '');
    return end(
      `"${[command, ...args].join(' ')}" does not run zig; pip install ziglang==${version}, or name the command that does`,
    );
  }
};

/**
 * Compile for all systems, in a directory of its own, which is removed.
 *
 * @param {string[]} zig
 * @returns {Map<string, Buffer>}
 */
const build = zig => {
  const out = fs.mkdtempSync(join(os.tmpdir(), 'prebuild-'));
  try {
    return new Map(
      Object.entries(targets).map(([name, target]) => {
        const file = `${name}.node`;
        const compiler = [...zig, 'cc', '-target', target];
        compileAddon({ out: join(out, file), platform: name.split('-')[0], compiler });
        return [file, fs.readFileSync(join(out, file))];
      }),
    );
  } finally {
    fs.rmSync(out, { recursive: true, force: true });
  }
};

/** @param {Buffer} bytes */
const fingerprint = bytes => createHash('sha256').update(bytes).digest('hex');

/** @param {string[]} zig */
const verify = zig => {
  const manifest = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
  const compiler = nameCompiler(zig);
  if (compiler !== manifest.compiler)
    end(`this is ${compiler}, and the files were made with ${manifest.compiler}`);
  const differ = [];
  if (manifest.sources !== hashSources()) differ.push('the sources');
  const built = build(zig);
  for (const file of new Set([...Object.keys(manifest.files), ...built.keys()])) {
    const there = join(prebuiltDir, file);
    const shipped = fs.existsSync(there) ? fs.readFileSync(there) : Buffer.alloc(0);
    const made = built.get(file);
    const same = made?.equals(shipped) && fingerprint(made) === manifest.files[file];
    console.log(`${file}: ${same ? 'the same, bit for bit' : 'DIFFERS'}`);
    if (!same) differ.push(file);
  }
  if (differ.length > 0) end(`not what the manifest says: ${differ.join(', ')}`);
};

/** @param {string[]} zig */
const make = zig => {
  const compiler = nameCompiler(zig);
  const [built, again] = [build(zig), build(zig)];
  fs.rmSync(prebuiltDir, { recursive: true, force: true });
  fs.mkdirSync(prebuiltDir);
  /** @type {Record<string, string>} */
  const files = {};
  for (const [file, bytes] of built) {
    if (!again.get(file)?.equals(bytes)) {
      console.error(`${file}: left out, since two builds differ`);
      process.exitCode = 1;
      continue;
    }
    fs.writeFileSync(join(prebuiltDir, file), bytes, { mode: 0o755 });
    files[file] = fingerprint(bytes);
    console.log(`${file}: ${bytes.length} bytes`);
  }
  const manifest = { compiler, sources: hashSources(), files };
  fs.writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
};

const args = process.argv.slice(2);
const isVerifying = args[0] === '--verify';
const given = isVerifying ? args.slice(1) : args;
const zig = given.length > 0 ? given : ['python3', '-m', 'ziglang'];
if (isVerifying) verify(zig);
else make(zig);
