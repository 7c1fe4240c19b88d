// Runs the command as a user does: in a process of its own, in an empty directory.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export { temporaryDirectory } from '#testkit/temporary-directory.js';

export const mainFile = path.join(import.meta.dirname, '../main.js');

export const demosDir = path.join(import.meta.dirname, '../../demos');

const env = {
  ...process.env,
  SWINGSET_RUNNER_CACHE_DIR: '',
  XDG_CACHE_HOME: path.join(os.tmpdir(), 'swingset-runner-test-cache'),
};

/** @typedef {{ code: number | null, signal: string | null, stdout: string, stderr: string }} Ran */

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {object} [options]
 * @param {string} [options.input]
 * @param {number} [options.uid]  run as another user
 * @param {boolean} [options.keepsInput]  leave the command's input open
 * @param {string[]} [options.shell]  a command to run before, in the same shell
 * @param {(child: import('node:child_process').ChildProcess, stderr: string) => void} [options.onStderr]
 * @param {(child: import('node:child_process').ChildProcess, stdout: string) => void} [options.onStdout]
 * @returns {Promise<Ran>}
 */
export const runCli = async (cwd, args, options) => {
  while (running >= atOnce) await new Promise(resolve => waiting.push(resolve));
  running += 1;
  try {
    return await spawnCli(cwd, args, options);
  } finally {
    running -= 1;
    waiting.shift()?.(undefined);
  }
};

/** Ava starts all tests of a file at once; processes of 80 MB must not. */
const atOnce = 2;

let running = 0;

/** @type {((value: unknown) => void)[]} */
const waiting = [];

/** @type {(...args: Parameters<typeof runCli>) => Promise<Ran>} */
const spawnCli = (
  cwd,
  args,
  { input = '', uid, keepsInput = false, onStderr, onStdout, shell } = {},
) =>
  new Promise((resolve, reject) => {
    const command = [process.execPath, mainFile, ...args];
    const options = { cwd, env, ...(uid !== undefined && { uid }) };
    const child = shell
      ? spawn('/bin/sh', ['-c', `${shell.join(' ')}; exec "$@"`, 'sh', ...command], options)
      : spawn(command[0], command.slice(1), options);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text;
      onStdout?.(child, stdout);
    });
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text;
      onStderr?.(child, stderr);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.on('error', () => {}).write(input);
    if (!keepsInput) child.stdin.end();
  });

/**
 * Write a folder of vats.
 *
 * @param {string} dir
 * @param {Record<string, string>} files
 */
export const writeFiles = (dir, files) => {
  fs.mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
  return dir;
};

/** The source of a vat whose root has these methods. @param {string} methods */
export const vat = methods => `import { E, Far } from '@endo/far';
export const buildRootObject = () => Far('root', { ${methods} });
`;
