// Runs vats that a test writes, in a simulation, and tells what they did.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeVatError, loadConfig, makeMemoryStore, makeSimulation, parseError } from '#host';

/** @import { VatObserver } from '../vats.js' */

/**
 * @typedef {object} VatsRun
 * @property {string[]} printed  `NAME: TEXT`
 * @property {string[]} errors  as a person sees them, every place included; files without their folder
 * @property {string} result  of bootstrap: its state and body
 * @property {{ name: string, message: string } | undefined} rejection  the error that bootstrap was rejected with
 * @property {string | undefined} failure  the message of what was thrown instead
 */

/**
 * @param {Record<string, string>} sources  by vat name; `bootstrap` is sent `bootstrap`
 * @param {{ profile?: 'current' | '2020-09', folderName?: string, observer?: Partial<VatObserver> }} [options]
 * @returns {Promise<VatsRun>}
 */
export const runVats = async (
  sources,
  { profile = 'current', folderName = 'vats', observer } = {},
) => {
  const outer = mkdtempSync(join(tmpdir(), 'swingset-runner-vats-'));
  const folder = join(outer, folderName);
  mkdirSync(folder);
  /** @type {VatsRun} */
  const run = { printed: [], errors: [], result: '', rejection: undefined, failure: undefined };
  const plain = (/** @type {string} */ text) => text.replaceAll(`${folder}/`, '');
  try {
    for (const [name, source] of Object.entries(sources)) {
      const file = name === 'bootstrap' ? 'bootstrap.js' : `vat-${name}.js`;
      writeFileSync(join(folder, file), source);
    }
    const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
      store: makeMemoryStore(),
      profile,
      observer: observer ?? {
        onConsole: (name, _level, text) => run.printed.push(`${name}: ${text}`),
        onVatError: (name, error) => run.errors.push(plain(describeVatError(name, error))),
      },
    });
    await simulation.run();
    const { state, data } = simulation.status(simulation.bootstrapResult);
    run.result = `${state} ${data?.body}`;
    if (state === 'rejected' && data) run.rejection = parseError(data);
    await simulation.close();
  } catch (error) {
    run.failure = plain(/** @type {Error} */ (error).message);
  } finally {
    rmSync(outer, { recursive: true });
  }
  return run;
};
