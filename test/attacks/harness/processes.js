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
 * @param {(child: import('node:child_process').ChildProcess) => void} [options.onSpawn]
 * @param {(message: any) => void} [options.onMessage]
 * @returns {Promise<Ran>} killed by SIGKILL if it does not end in time
 */
const runNode = (args, { cwd, setting = {}, timeoutMs = defaultTimeoutMs, onSpawn, onMessage }) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(setting.node ?? []), ...args], {
      cwd,
      // Compiled sources are shared with the other tests.
      env: {
        ...process.env,
        SWINGSET_RUNNER_CACHE_DIR: path.join(
          os.tmpdir(),
          'swingset-runner-test-cache/swingset-runner',
        ),
        ...setting.env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    onSpawn?.(child);
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
    const timer =
      timeoutMs === Infinity ? undefined : setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const each of [timer, ...signals]) clearTimeout(each);
      resolve({ code, signal, stdout, stderr });
    });
  });

/** A process that runs attacks one after the other. */
class AttackProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;

  /** @type {((message: any) => void) | undefined} */
  #told;

  constructor() {
    /** How it ended, once it has; what it printed by itself too. */
    this.ended = runNode([childFile], {
      cwd: os.tmpdir(),
      timeoutMs: Infinity,
      onSpawn: child => (this.#child = child),
      onMessage: message => this.#told?.(message),
    });
  }

  /**
   * @param {string} directory
   * @param {number} timeoutMs  after which the process is killed
   * @returns {Promise<{ outcomes?: Outcome[], refusal?: string, failure?: string } | undefined>} undefined if the process
   *   ended before
   */
  async run(directory, timeoutMs) {
    const told = new Promise(resolve => {
      this.#told = resolve;
    });
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), timeoutMs);
    this.#child?.send(directory);
    try {
      return await Promise.race([told, this.ended.then(() => undefined)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Let it end. */
  end() {
    // A parent that disconnects by itself is not told of the child's end.
    if (this.#child?.connected) this.#child.send('');
    return this.ended;
  }
}

/** Processes that wait for another attack. @type {AttackProcess[]} */
const idle = [];

/**
 * Run an attack in a process that may have run others before: to start one takes longer than most attacks. The command, which
 * the suite runs too, is in a process of its own, and its hash must be the same.
 *
 * @param {string} directory
 * @param {Attack} attack
 * @returns {Promise<{ ran: Ran, outcomes?: Outcome[], refusal?: string, failure?: string }>}
 */
export const runAttackProcess = async (directory, { timeoutMs = defaultTimeoutMs }) => {
  const attackProcess = idle.pop() ?? new AttackProcess();
  const told = await attackProcess.run(directory, timeoutMs);
  if (told !== undefined) {
    idle.push(attackProcess);
    return { ran: { code: 0, signal: null, stdout: '', stderr: '' }, ...told };
  }
  return { ran: await attackProcess.end() };
};

/**
 * End the processes that ran several attacks.
 *
 * @returns {Promise<Ran[]>} how each ended, and what it printed by itself, which nothing may
 */
export const endAttackProcesses = () => Promise.all(idle.splice(0).map(each => each.end()));

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
