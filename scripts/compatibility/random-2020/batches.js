// Runs programs in child processes, several in each. A process prints a line of JSON for each of its programs. A program with
// which a process ends, exhausts its memory or is silent for too long is reported with the reason, and another process goes on
// with the program behind it.

import { createInterface } from 'node:readline';

/** @import { ChildProcessByStdio } from 'node:child_process' */
/** @import { Readable } from 'node:stream' */

/** Its output is read; it is killed as a group, so it has to lead one (`detached`). @typedef {ChildProcessByStdio<null, Readable, Readable>} Child */

/** Characters of what a process says of its failure. */
const longestReason = 200;

/**
 * @param {number | null} code
 * @param {string | null} signal
 * @param {string} errors  what the process wrote to its standard error
 * @returns {string}
 */
const reasonOfEnd = (code, signal, errors) => {
  const memory = /heap out of memory|Allocation failed|Cannot allocate memory/.test(errors);
  const how = signal === null ? `exit code ${code}` : signal;
  const lines = errors.trim().split('\n');
  // Node prints the place of an uncaught error before the error.
  const said = memory
    ? 'out of memory'
    : (lines.find(line => /^\w*Error\b/.test(line)) ?? lines[0]);
  return `its process ended with ${how}${said === '' ? '' : `: ${said.slice(0, longestReason)}`}`;
};

/** @param {Child} child */
const killGroup = child => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};

/**
 * @param {Child} child
 * @param {number} silenceMs
 * @param {(line: string) => void} onLine
 * @returns {Promise<string>} why it ended
 */
const watch = async (child, silenceMs, onLine) => {
  let isSilent = false;
  const stop = () => {
    isSilent = true;
    killGroup(child);
  };
  let timer = setTimeout(stop, silenceMs);
  let errors = '';
  child.stderr.on('data', chunk => {
    if (errors.length < 10_000) errors += chunk;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', line => {
    clearTimeout(timer);
    timer = setTimeout(stop, silenceMs);
    onLine(line);
  });
  // `close` comes when all output is read, `end` of the reader when all lines are.
  const ended = new Promise(settle => lines.on('close', settle));
  /** @type {[number | null, string | null]} */
  const [code, signal] = await new Promise(settle =>
    child.on('close', (...how) => settle(/** @type {any} */ (how))),
  );
  await ended;
  clearTimeout(timer);
  return isSilent
    ? `it said nothing for ${silenceMs / 1000} s and was killed`
    : reasonOfEnd(code, signal, errors);
};

/**
 * The output of all programs, in their order.
 *
 * @template {{ seed: number }} P
 * @template {{ seed: number }} R
 * @param {readonly P[]} programs
 * @param {object} options
 * @param {(programs: readonly P[]) => Child} options.start
 * @param {number} options.size  programs of a process, at most
 * @param {number} options.silenceMs  between two lines, and before the first
 * @returns {AsyncGenerator<R | { seed: number, problem: string }>}
 */
export async function* runInBatches(programs, { start, size, silenceMs }) {
  let next = 0;
  while (next < programs.length) {
    const batch = programs.slice(next, next + size);
    /** @type {R[]} */
    const found = [];
    const why = await watch(start(batch), silenceMs, line => {
      if (line.startsWith('{"seed":')) found.push(JSON.parse(line));
    });
    yield* found;
    next += found.length;
    if (found.length < batch.length) {
      yield { seed: programs[next].seed, problem: why };
      next += 1;
    }
  }
}
