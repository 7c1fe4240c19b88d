// A directory for what a test writes.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * @param {import('ava').ExecutionContext} t  when it ends, the directory is removed with all that is in it
 * @param {string} [name]  what the directory's name begins with, for those who look at what was left
 * @param {string} [parent]  where it lies
 * @returns {string} absolute, without links in it
 */
export const temporaryDirectory = (t, name = 'test', parent = os.tmpdir()) => {
  const dir = makeDirectory(name, parent);
  t.teardown(() => remove(dir));
  return dir;
};

/** @type {string[]} */
const ofProcess = [];

/**
 * For all tests of a file; it is removed when the process ends.
 *
 * @param {string} name
 */
export const directoryOfProcess = name => {
  const dir = makeDirectory(name, os.tmpdir());
  if (ofProcess.length === 0) process.once('exit', () => ofProcess.forEach(remove));
  ofProcess.push(dir);
  return dir;
};

/** @param {string} name @param {string} parent */
const makeDirectory = (name, parent) =>
  fs.mkdtempSync(path.join(fs.realpathSync(parent), `${name}-`));

/** @param {string} dir */
const remove = dir => fs.rmSync(dir, { recursive: true, force: true });
