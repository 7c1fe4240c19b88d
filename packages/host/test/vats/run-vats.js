// Runs vats that a test writes, in a simulation, and tells what they did.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeVatError, loadConfig, makeMemoryStore, makeSimulation, parseError } from '#host';
import { storeDigest } from '#store';
import { probeDrain } from '#host/engine/drain-jobs.js';

/** @import { VatObserver } from '#host/vats/vats.js' */

/**
 * @typedef {object} VatsRun
 * @property {string[]} printed  `NAME: TEXT`, by the vats of the program
 * @property {string[]} printedByAdmin  the same, by vatAdmin, which tells which vats of the config have ended
 * @property {string[]} errors  as a person sees them, every place included; files without their folder
 * @property {string} result  of bootstrap: its state and body
 * @property {{ name: string, message: string } | undefined} rejection  the error that bootstrap was rejected with
 * @property {string | undefined} failure  the message of what was thrown instead
 * @property {string} hash  of all that the kernel did
 * @property {string} digest  of the store
 * @property {number} cranks
 */

/**
 * The error of a vat that did not start: under `current` it ends alone, in 2020 the run does.
 *
 * @param {VatsRun} run
 */
export const tellUnstarted = ({ failure, errors }) => failure ?? errors.join('\n');

/**
 * @param {Record<string, string>} sources  by vat name; `bootstrap` is sent `bootstrap`
 * @param {object} [options]
 * @param {'current' | '2020-09'} [options.profile]
 * @param {boolean} [options.lenient]  whether objects that nobody declared `Far` pass
 * @param {string} [options.folderName]
 * @param {Partial<VatObserver>} [options.observer]
 * @param {Record<string, object>} [options.creationOptions]  by vat name
 * @param {Record<string, string>} [options.bundles]  sources, by the name of the bundle
 * @param {Record<string, object>} [options.parameters]  by vat name
 * @param {Record<string, object>} [options.devices]  of the config
 * @param {'immediate'} [options.draining]  the fallback of drain, whatever this Node has
 * @param {number} [options.stopAfter]  so many cranks; then the simulation is made again from its store
 * @returns {Promise<VatsRun>}
 */
export const runVats = async (
  sources,
  {
    profile = 'current',
    lenient,
    folderName = 'vats',
    observer,
    creationOptions = {},
    bundles = {},
    parameters = {},
    devices = {},
    draining,
    stopAfter,
  } = {},
) => {
  const outer = mkdtempSync(join(tmpdir(), 'swingset-runner-vats-'));
  const folder = join(outer, folderName);
  mkdirSync(folder);
  /** @type {VatsRun} */
  const run = {
    printed: [],
    printedByAdmin: [],
    errors: [],
    result: '',
    rejection: undefined,
    failure: undefined,
    hash: '',
    digest: '',
    cranks: 0,
  };
  const plain = (/** @type {string} */ text) => text.replaceAll(`${folder}/`, '');
  try {
    /** @type {Record<string, object>} */
    const vats = {};
    for (const [name, source] of Object.entries(sources)) {
      const file = name === 'bootstrap' ? 'bootstrap.js' : `vat-${name}.js`;
      writeFileSync(join(folder, file), source);
      vats[name] = {
        sourceSpec: `./${file}`,
        creationOptions: creationOptions[name] ?? {},
        parameters: parameters[name] ?? {},
      };
    }
    /** @type {Record<string, object>} */
    const bundleSpecs = {};
    for (const [name, source] of Object.entries(bundles)) {
      writeFileSync(join(folder, `bundle-${name}.js`), source);
      bundleSpecs[name] = { sourceSpec: `./bundle-${name}.js` };
    }
    if (
      [creationOptions, bundles, parameters, devices].some(part => Object.keys(part).length > 0)
    ) {
      const config = { bootstrap: 'bootstrap', vats, bundles: bundleSpecs, devices };
      writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
    }
    const options = {
      store: makeMemoryStore(),
      ...(lenient !== undefined && { lenient }),
      ...(draining && { drain: await probeDrain({ force: draining }) }),
      observer: observer ?? {
        onConsole: (name, _level, text) =>
          (name === 'vatAdmin' ? run.printedByAdmin : run.printed).push(`${name}: ${text}`),
        onVatError: (name, error) => run.errors.push(plain(describeVatError(name, error))),
      },
    };
    let simulation = await makeSimulation(loadConfig({ baseDir: folder }), { ...options, profile });
    if (stopAfter !== undefined) {
      await simulation.runCranks(stopAfter);
      await simulation.commit();
      simulation = await makeSimulation(undefined, { ...options, resume: true });
    }
    await simulation.run();
    run.hash = simulation.activityHash();
    run.digest = storeDigest(options.store);
    run.cranks = simulation.cranks.all;
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
