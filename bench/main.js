// npm run bench -- [SUITE...] [--json FILE] [--keep] [--small] [--dir DIR]
//
// Runs the named suites, or all of them, each in a process of its own, and prints their figures.
// See README.md.

import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  completeRows,
  describeCommit,
  describeMachine,
  describeNoise,
  formatMachine,
  formatRows,
} from '#measure';
import { findNearestName, quote, UserError } from '#model';
import { keepResults, resultsFolder } from './kept-results.js';
import { ask } from './process.js';
import { suiteNames } from './suite.js';

/** @import { Row } from '#measure' */

const usage =
  'npm run bench -- [SUITE...] [--json FILE] [--keep] [--small] [--dir DIR], where a suite is one of';

const readArguments = () => {
  const names = suiteNames();
  const say = (/** @type {string} */ what) =>
    new UserError(`bench: ${what}; ${usage} ${names.join(', ')}`);
  /** @returns {{ values: { json?: string, keep?: boolean, small?: boolean, dir?: string }, positionals: string[] }} */
  const parse = () => {
    try {
      return parseArgs({
        allowPositionals: true,
        options: {
          json: { type: 'string' },
          keep: { type: 'boolean' },
          small: { type: 'boolean' },
          dir: { type: 'string' },
        },
      });
    } catch (error) {
      const [what] = /** @type {Error} */ (error).message.split(/\. |\n/);
      throw say(what);
    }
  };
  const { values, positionals } = parse();
  const { small = false, keep = false } = values;
  for (const name of positionals) {
    if (names.includes(name)) continue;
    const near = findNearestName(name, names);
    throw say(
      `there is no suite ${quote(name)}${near === undefined ? '' : `, did you mean ${near}?`}`,
    );
  }
  if (small && keep) throw say('--small measures nothing that is worth keeping');
  if (values.dir !== undefined && !fs.existsSync(values.dir)) {
    throw say(`--dir ${values.dir} does not exist`);
  }
  return { ...values, small, keep, suites: positionals.length > 0 ? positionals : names };
};

/** @param {string} file @param {unknown} value */
const writeJson = (file, value) => {
  try {
    fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    fs.writeFileSync(file, `${JSON.stringify(value, undefined, 1)}\n`);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(`--json ${file}: cannot write it (${code}); name another file`, {
      exitCode: 1,
      cause: error,
    });
  }
};

const main = async () => {
  const { suites, small, keep, json, dir } = readArguments();
  const machine = describeMachine();
  const context = {
    machine: formatMachine(machine),
    node: machine.node,
    commit: describeCommit(),
  };
  if (keep && context.commit.endsWith('+'))
    throw new UserError(
      'bench: there are changes that are not committed; --keep measures a commit',
    );
  console.log(`${context.machine}; node ${context.node}; commit ${context.commit}`);
  const env = { ...process.env, ...(dir !== undefined && { BENCH_DIR: path.resolve(dir) }) };
  const module = new URL('run-suite.js', import.meta.url);

  /** @type {Row[]} */
  const all = [];
  for (const name of suites) {
    const startMs = performance.now();
    const { figures, digest, noise } = await ask(module, { name, small }, { env });
    const rows = completeRows(figures, { suite: name, ...context, noise: describeNoise(noise) });
    all.push(...rows);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    console.log(
      `\n${name} (${seconds} s, ${describeNoise(noise)}, results ${digest.slice(0, 16)})`,
    );
    console.log(formatRows(rows).trimEnd());
    if (keep) keepResults(name, rows);
    // Written after each suite, so that one that fails does not take the others' figures with it.
    if (json !== undefined) writeJson(json, all);
  }
  if (keep) console.log(`\nkept in ${path.relative('', resultsFolder)}`);
};

try {
  await main();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
