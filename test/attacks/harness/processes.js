// Child processes of the suite: Node, the command, and the process of an attack.

import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

/** @import { Attack, Hands, Outcome, Ran, Setting, Signals } from './attack-types.js' */

const mainFile = path.join(import.meta.dirname, '../../../runner/main.js');
const childFile = path.join(import.meta.dirname, 'child.js');

const defaultTimeoutMs = 180_000;

/**
 * @param {string[]} args  of Node
 * @param {object} options
 * @param {string} options.cwd
 * @param {Setting & Signals} [options.setting]
 * @param {number} [options.timeoutMs]
 * @param {(message: any) => void} [options.onMessage]
 * @returns {Promise<Ran>} killed by SIGKILL if it does not end in time
 */
const runNode = (args, { cwd, setting = {}, timeoutMs = defaultTimeoutMs, onMessage }) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(setting.node ?? []), ...args], {
      cwd,
      // Compiled sources are shared with the other tests.
      env: {
        ...process.env,
        XDG_CACHE_HOME: path.join(os.tmpdir(), 'swingset-runner-test-cache'),
        ...setting.env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let [stdout, stderr] = ['', ''];
    /** @type {NodeJS.Timeout[]} */
    let signals = [];
    child.stdout?.once('data', () => {
      signals = (setting.signals ?? []).map(({ afterMs, signal }) =>
        setTimeout(() => child.kill(signal), afterMs),
      );
    });
    child.stdout?.setEncoding('utf8').on('data', text => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', text => (stderr += text));
    if (onMessage) child.on('message', onMessage);
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const each of [timer, ...signals]) clearTimeout(each);
      resolve({ code, signal, stdout, stderr });
    });
  });

/**
 * @param {string} directory
 * @param {Attack} attack
 * @returns {Promise<{ ran: Ran, outcomes?: Outcome[], refusal?: string, failure?: string }>}
 */
export const runAttackProcess = async (directory, { timeoutMs }) => {
  let told = {};
  const ran = await runNode([childFile, directory], {
    cwd: directory,
    ...(timeoutMs !== undefined && { timeoutMs }),
    onMessage: message => (told = message),
  });
  return { ran, ...told };
};

/**
 * @param {string} directory
 * @param {Attack} attack
 * @param {string} work
 * @returns {Hands}
 */
export const makeHands = (directory, { timeoutMs }, work) => {
  const limits = timeoutMs === undefined ? {} : { timeoutMs };
  return {
    directory,
    work,
    swingsetRunner: (args, setting) =>
      runNode([mainFile, ...args], { cwd: work, ...limits, ...(setting && { setting }) }),
    node: (file, args = [], setting = {}) =>
      runNode([path.join(directory, file), ...args], { cwd: work, ...limits, setting }),
  };
};
