// A program of the table in the simulation: in one vat, or split, each part the root reactor of a vat of its own and the
// connections those of the config.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { nowAt } from './in-library.js';

/** @import { Kernel, PhysicalClock } from '#kernel' */
/** @import { Program, Wire } from './program.js' */

/** Compiled sources are kept between runs. */
const cacheDir = join(tmpdir(), 'swingset-runner-test-cache');

/** @param {Program} what @param {URL} module */
export const runInOneVat = (what, module) => runInVats(what, module, ['main']);

/** @param {Program} what @param {URL} module */
export const runSplit = (what, module) => runInVats(what, module, Object.keys(what.parts), true);

/**
 * @param {Program} what
 * @param {URL} module  that exports `buildReactor` for it
 * @param {string[]} vats
 * @param {boolean} [isSplit]
 * @returns {Promise<Record<string, string[]>>} what each part noted
 */
const runInVats = async (what, module, vats, isSplit = false) => {
  const { clock: script = [], timeout } = what.options;
  const config = {
    bootstrap: vats[0],
    vats: Object.fromEntries(
      vats.map(vat => [
        vat,
        {
          sourceSpec: module.pathname,
          parameters: { program: what.name, ...(isSplit && { part: vat }) },
        },
      ]),
    ),
    ...(isSplit && { connections: what.connections.map(connectionOf) }),
    ...(timeout !== undefined && { reactors: { timeout } }),
  };
  const folder = mkdtempSync(join(tmpdir(), 'reactor-program-'));
  const configFile = join(folder, 'swingset.json');
  writeFileSync(configFile, JSON.stringify(config));

  /** @type {Record<string, string[]>} */
  const trace = {};
  /** @type {unknown[]} */
  const errors = [];
  /** @type {Kernel} */
  let kernel;
  // Where the crank is that runs: a vat that finds nothing to do at a tag may go on to its next one.
  let nextNs = 0;
  /** @type {PhysicalClock} */
  const clock = {
    nowNs: () => nowAt(script, Math.max(nextNs, kernel.now.timeNs)),
    isLate: (_vatId, timeNs, deadlineNs) => nowAt(script, timeNs) - timeNs > deadlineNs,
  };
  const simulation = await makeSimulation(loadConfig({ configFile }), {
    store: makeMemoryStore(),
    cacheDir,
    clock,
    onKernel: made => {
      kernel = made;
    },
    observer: {
      onConsole: (_vat, _level, text) => {
        const [, part, line] = /** @type {string[]} */ (/^(\w+): (.*)$/s.exec(text));
        trace[part] ??= [];
        trace[part].push(line);
      },
      onVatError: (_vat, error) => void errors.push(error),
    },
  });
  const run = async () => {
    if (script.length === 0) {
      await simulation.run();
      return;
    }
    // One by one, so that the clock goes by the crank that runs: a vat would run ahead by itself.
    while (!simulation.isQuiet) {
      nextNs = kernel.nextTimeNs ?? nextNs;
      await simulation.step();
    }
  };
  try {
    await run();
    if (simulation.hasPrograms) {
      // Nothing more is to come.
      simulation.stopPrograms();
      await run();
    }
  } finally {
    await simulation.close();
  }
  if (errors.length > 0) throw errors[0];
  return trace;
};

/** @param {Wire} wire  as the config has it */
const connectionOf = ({ from, to, interleaved, ...options }) => ({
  from: interleaved === 'from' || interleaved === 'both' ? [{ interleaved: from }] : from,
  to: interleaved === 'to' || interleaved === 'both' ? [{ interleaved: to }] : to,
  ...options,
});
