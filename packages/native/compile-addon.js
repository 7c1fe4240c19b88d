// Compiles the addon: one C file without a C library or Node's headers, so that it needs only a compiler, and one like
// `zig cc` compiles it for other systems too.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

const sourceDir = fileURLToPath(new URL('./source/', import.meta.url));

const commonFlags = [
  ...['-std=c11', '-O2', '-shared', '-s', '-fvisibility=hidden'],
  ...['-ffreestanding', '-fno-builtin', '-fno-stack-protector', '-nostdlib'],
];

/** @type {Record<string, string[]>} */
const systemFlags = {
  // It stays loaded, since a thread of it may outlive the thread that loaded it (source/awake.h).
  linux: ['-Wl,-z,nodelete'],
  // Node's functions are looked up when the file is loaded. Without this name the file would contain the path that it
  // was written to, and could be reproduced in that directory only.
  darwin: ['-Wl,-undefined,dynamic_lookup', '-Wl,-install_name,@rpath/addon.node'],
  win32: ['-lkernel32'],
};

/** Milliseconds after which a compiler counts as hanging. */
const longestMs = 60_000;

/** A fingerprint of the addon's sources and options: a file compiled from others is out of date. */
export const hashSources = () => {
  const hash = createHash('sha256');
  for (const name of fs.readdirSync(sourceDir).sort()) {
    hash.update(`${name}\n`).update(fs.readFileSync(`${sourceDir}${name}`));
  }
  hash.update([...commonFlags, JSON.stringify(systemFlags)].join(' '));
  return hash.digest('hex');
};

/**
 * @param {object} options
 * @param {string} options.out  the file to write
 * @param {string} options.platform  as `process.platform`
 * @param {string[]} options.compiler  a command and its first arguments: `['cc']`, `['zig', 'cc', '-target', '…']`
 * @throws {Error} the compiler is missing, or fails; the message has its output
 */
export const compileAddon = ({ out, platform, compiler: [command, ...first] }) => {
  const flags = [...commonFlags, ...(platform === 'win32' ? [] : ['-fPIC'])];
  const source = `${sourceDir}addon.c`;
  execFileSync(command, [...first, ...flags, source, '-o', out, ...(systemFlags[platform] ?? [])], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: longestMs,
  });
};
