// Sources of programs in a folder with the packages of SwingSet, and the comparison of two traces.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir } from '#host';

const dependencies = Object.fromEntries(
  ['@endo/far', '@endo/patterns', '@endo/exo', '@endo/errors', '@endo/promise-kit']
    .concat('@endo/pass-style', '@agoric/vat-data', '@agoric/store')
    .map(name => [name, '*']),
);

/**
 * A folder with sources of test/fixtures, in which the packages of a checkout are found.
 *
 * @param {string} sdk
 * @param {string} name  of the folder in test/fixtures
 * @returns {string} its path; the caller removes it
 */
export const makeSources = (sdk, name) => {
  const folder = mkdtempSync(join(tmpdir(), 'swingset-runner-sources-'));
  cpSync(join(import.meta.dirname, '../../../test/fixtures', name), folder, { recursive: true });
  symlinkSync(join(sdk, 'node_modules'), join(folder, 'node_modules'));
  const manifest = { name: 'sources', version: '0.0.0', type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
};

/**
 * @param {string} folder  of `makeSources`
 * @returns {string} a file that keeps the bundles of SwingSet's kernel, of the version there
 */
export const findBundles = folder => {
  const manifest = join(folder, 'node_modules/@agoric/swingset-vat/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(defaultCacheDir(), `swingset-${version}-kernel-bundles.json`);
};

/** Time limit of one program, since some never end in the real kernel. */
const timeLimitMs = 600_000;

/**
 * Runs a program in a process of its own, which prints a line of JSON with its seed.
 *
 * @param {string} folder  of `makeSources`
 * @param {string} script
 * @param {(string | number)[]} args
 * @returns {any} what that line says, or why there is none, as text
 */
export const runProgram = (folder, script, args) => {
  const { stdout, stderr, error } = spawnSync(process.execPath, [script, ...args.map(String)], {
    ...{ cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30, timeout: timeLimitMs },
  });
  const line = (stdout ?? '').split('\n').find(it => it.startsWith('{"seed":'));
  if (line !== undefined) return JSON.parse(line);
  const lines = (stderr ?? '').split('\n');
  const panic = lines.find(it => it.includes('KERNEL PANIC'));
  return error?.message ?? panic ?? lines.slice(0, 3).join(' ');
};

/**
 * @param {string} label
 * @param {readonly string[]} ours
 * @param {readonly string[]} theirs
 * @returns {boolean} whether they are the same; if not, the first difference is printed
 */
export const compareLines = (label, ours, theirs) => {
  let at = 0;
  while (at < theirs.length && ours[at] === theirs[at]) at += 1;
  if (at === theirs.length && at === ours.length) return true;
  console.log(`${label} differs at line ${at + 1}, behind`);
  for (const line of theirs.slice(Math.max(0, at - 8), at)) console.log(`    ${line}`);
  console.log(`  SwingSet: ${theirs[at] ?? '(the end)'}\n  here:     ${ours[at] ?? '(the end)'}`);
  return false;
};
