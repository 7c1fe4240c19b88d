// `swingset-runner/testing`: runs a vat in a test, without a config and without making a
// simulation, in any test runner that runs files in Node's own realm (node:test, ava, vitest).

import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultCacheDir, getStackFrames, makeMemoryStore, makeSimulation, placed } from '#host';
import { insistOptions, quote, UserError } from '#model';
import { findCaller, findVatFile } from './find-vat-file.js';
import { makeManualTime } from './manual-time.js';
import { makeSpeaker } from './speaking-handles.js';

/** @import { Simulation } from '#host' */

/**
 * @typedef {object} TestVatOptions
 * @property {Record<string, unknown>} [parameters={}]  of the vat, plain data
 * @property {Record<string, string | URL>} [vats={}]  other vats that run beside it: names and files
 * @property {string} [timerUnit='1 s']  the unit of the timer's numbers
 * @property {boolean} [lenient=false]  whether objects without a `Far` declaration pass by
 *   reference; by default they are refused, as in SwingSet, so that a test finds them
 * @property {'current' | '2020-09'} [profile='current']  the policies of the kernel
 */

/**
 * A proxy for an object of a vat: `await it.method(argument)` sends a message. Objects in results
 * become such proxies too, and may be passed as arguments.
 *
 * @typedef {Record<string, (...args: any[]) => Promise<any>>} Speaker
 */

/**
 * The type of a proxy for an object of type `T`: its methods, each of which returns a promise.
 *
 * @template T
 * @typedef {{ [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Answer<Awaited<R>>> : never }} Spoken
 */

/**
 * The type of a method's result in a test: a proxy for an object of methods, or plain data.
 *
 * @template R
 * @typedef {R extends { [K in keyof R]: (...args: any[]) => any } ? Spoken<R> : R} Answer
 */

/**
 * @template [Root=Speaker]
 * @typedef {object} TestedVat
 * @property {Spoken<Root>} vat  the vat's root object
 * @property {Record<string, Speaker>} vats  the root objects of all vats, by name
 * @property {{ service: Speaker, advance: (by: string | number) => Promise<void> }} timer  the
 *   timer service, which a test passes to the vat; `advance("10 s")`, or a number of milliseconds,
 *   moves time on and waits until everything due has run. Otherwise time stands still
 * @property {() => string[]} log  the output and the errors of the vats, one line each, the same in
 *   every run
 * @property {Simulation} simulation
 * @property {() => Promise<void>} close
 */

/** @type {Readonly<Record<string, import('#model').OptionRule>>} */
const optionRules = Object.freeze({
  parameters: 'object',
  vats: 'object',
  timerUnit: 'string',
  lenient: 'boolean',
  profile: ['current', '2020-09'],
});

/** The vat that is tested. */
const testedName = 'vat';

/** @param {string} sourceFile @param {Record<string, unknown>} [parameters] */
const vatConfig = (sourceFile, parameters = {}) => ({
  sourceFile,
  parameters,
  creationOptions: {},
});

/**
 * Run a vat for a test, in memory, with a timer that the test advances. `testVat<Root>(file)` takes
 * the type of the root object.
 *
 * @template [Root=Speaker]
 * @param {string | URL} file  beside the test's own file, or in the working directory
 * @param {TestVatOptions} [options]
 * @returns {Promise<TestedVat<Root>>}
 * @throws {TypeError} if an option has an unknown name or a wrong type
 * @throws {UserError} if there is no such file, the vat does not start, or the test runs in another
 *   realm, as in jest
 */
export const testVat = (file, options = {}) =>
  placed(runVat(findCaller(getStackFrames(Error('called'))), file, options));

/**
 * @template [Root=Speaker]
 * @param {ReturnType<typeof findCaller>} caller
 * @param {string | URL} file
 * @param {TestVatOptions} options
 * @returns {Promise<TestedVat<Root>>}
 */
const runVat = async (caller, file, options) => {
  insistOptions('testVat()', options, optionRules);
  const {
    parameters = {},
    vats: others = {},
    timerUnit = '1 s',
    profile = 'current',
    lenient = false,
  } = options;
  const sourceFile = findVatFile(file, caller);
  /** @type {Record<string, ReturnType<typeof vatConfig>>} */
  const vats = {
    bootstrap: vatConfig(fileURLToPath(new URL('vat-bootstrap.js', import.meta.url))),
    [testedName]: vatConfig(sourceFile, parameters),
  };
  for (const [name, other] of Object.entries(others)) {
    if (Object.hasOwn(vats, name))
      throw new UserError(`another vat cannot be called ${quote(name)}; choose another name`);
    vats[name] = vatConfig(findVatFile(other, caller));
  }
  /** @type {string[]} */
  const lines = [];
  const time = makeManualTime();
  const simulation = await makeSimulation(
    {
      ...{ bootstrap: 'bootstrap', vats, bundles: {}, pinBootstrapRoot: false, notices: [] },
      devices: {
        timer: { builtIn: 'timer', parameters: { unit: timerUnit }, creationOptions: {} },
      },
      baseDir: dirname(sourceFile),
      sourceRoots: [resolve('.'), dirname(sourceFile)],
    },
    {
      store: makeMemoryStore(),
      ...{ profile, clock: time.clock, cacheDir: defaultCacheDir(), lenient },
      observer: {
        onConsole: (vat, _level, text) => void lines.push(`${vat}: ${text}`),
        onVatError: (vat, { name, message }) =>
          void lines.push(`${vat}: ${name === undefined ? message : `${name}: ${message}`}`),
      },
    },
  );
  /** @type {unknown} */
  let failure;
  simulation.start({
    realTime: time,
    onFailure(error) {
      failure = error;
    },
  });

  const rest = async () => {
    const { kernel } = simulation;
    const isAtRest = () =>
      !kernel.isBusy && (kernel.isQuiet || (kernel.nextTimeNs ?? 0) > time.elapsedNs());
    do await new Promise(resolve => setImmediate(resolve));
    while (failure === undefined && !isAtRest());
  };

  await rest();
  if (failure !== undefined) {
    await simulation.close();
    throw failure;
  }
  const ended = simulation.kernel
    .vats()
    .find(({ isStatic, state }) => isStatic && state !== 'running');
  if (ended !== undefined) {
    await simulation.close();
    throw new UserError(`vat ${ended.name} did not start: ${lines.join('; ')}`, { exitCode: 1 });
  }
  const { speak, wrap } = makeSpeaker(simulation, simulation.isHandle);
  const names = [testedName, ...Object.keys(others)];
  const roots = await simulation.call('bootstrap', 'getRoots', [names]);
  const speakers = Object.fromEntries(names.map((name, i) => [name, speak(name, roots[i])]));
  return Object.freeze({
    vat: /** @type {any} */ (speakers[testedName]),
    vats: /** @type {Record<string, Speaker>} */ (speakers),
    timer: Object.freeze({
      service: /** @type {Speaker} */ (wrap(await simulation.call('bootstrap', 'getTimer'))),
      async advance(/** @type {string | number} */ by) {
        time.advance(by);
        await rest();
      },
    }),
    log: () => [...lines],
    simulation,
    close: () => simulation.close(),
  });
};
