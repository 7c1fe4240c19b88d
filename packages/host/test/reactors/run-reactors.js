// Runs programs of vats with reactors that a test writes, in all ways that may make no difference.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { audit } from '#kernel';
import { storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { ExecutionContext } from 'ava' */

/**
 * @typedef {object} Program
 * @property {Record<string, string>} vats  sources, by name; the first is sent `bootstrap`
 * @property {object[]} [connections]
 * @property {string} [timeout]
 * @property {Record<string, object>} [parameters]
 * @property {Record<string, object>} [creationOptions]
 * @property {Record<string, string>} [devices]  sources, by name
 * @property {boolean} [lenient]  whether objects that nobody declared `Far` pass
 */

/**
 * @typedef {object} Way
 * @property {number} [blockSize]
 * @property {boolean} [reopen]  after each block
 * @property {number[]} [clock]  what it shows, one after the other; the last one for ever
 * @property {(simulation: any, block: number) => void} [between]  called after each block
 */

/** @param {ExecutionContext} t @param {Program} program */
export const write = (
  t,
  { vats, connections, timeout, parameters = {}, creationOptions = {}, devices = {}, lenient },
) => {
  const folder = temporaryDirectory(t, 'reactors');
  const names = Object.keys(vats);
  for (const name of names) writeFileSync(join(folder, `${name}.js`), vats[name]);
  for (const [name, source] of Object.entries(devices))
    writeFileSync(join(folder, `device-${name}.js`), source);
  const config = {
    bootstrap: names[0],
    vats: Object.fromEntries(
      names.map(name => [
        name,
        {
          sourceSpec: `./${name}.js`,
          parameters: parameters[name] ?? {},
          creationOptions: creationOptions[name] ?? {},
        },
      ]),
    ),
    devices: Object.fromEntries(
      Object.keys(devices).map(name => [name, { sourceSpec: `./device-${name}.js` }]),
    ),
    ...(connections && { connections }),
    ...(lenient !== undefined && { lenient }),
    ...(timeout !== undefined && { reactors: { timeout } }),
  };
  writeFileSync(join(folder, 'swingset.json'), JSON.stringify(config));
  return loadConfig({ baseDir: folder });
};

/** @param {ReturnType<typeof loadConfig>} config @param {Way} [way] */
export const run = async (
  config,
  { blockSize = 200, reopen = false, clock = [0], between } = {},
) => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const printed = [];
  /** @type {string[]} */
  const errors = [];
  const times = [...clock];
  const nowNs = () => /** @type {number} */ (times.length > 1 ? times.shift() : times[0]);
  const open = (/** @type {boolean} */ isNew) =>
    makeSimulation(isNew ? config : undefined, {
      store: { ...store, close: async () => {} },
      resume: !isNew,
      clock: { nowNs, isLate: (_vat, timeNs, deadlineNs) => nowNs() - timeNs > deadlineNs },
      observer: {
        // vatAdmin prints that a vat of the config has ended.
        onConsole: (vat, _level, text) =>
          void (vat === 'vatAdmin' || printed.push(`${vat}: ${text}`)),
        onVatError: (vat, error) => void errors.push(`${vat}: ${error.message}`),
      },
    });
  let simulation = await open(true);
  let block = 0;
  const toEnd = async () => {
    while (!simulation.isQuiet) {
      await simulation.run({ blockSize, maxCranks: blockSize });
      between?.(simulation, block);
      block += 1;
      if (!reopen) continue;
      await simulation.commit();
      await simulation.close();
      simulation = await open(false);
    }
  };
  await toEnd();
  if (simulation.hasPrograms) {
    simulation.stopPrograms();
    await toEnd();
  }
  await simulation.commit();
  const result = {
    printed,
    errors,
    hash: simulation.activityHash(),
    digest: storeDigest(store),
    cranks: simulation.cranks.all,
    counters: simulation.counters.toRecord(),
    audit: audit(simulation.kernel.state),
    inputs: simulation.kernel.inputs(),
  };
  await simulation.close();
  return result;
};

/**
 * Run a program in ways that may make no difference.
 *
 * @param {ExecutionContext} t
 * @param {Program} program
 * @param {Way} [way]
 */
export const runAll = async (t, program, way = {}) => {
  const config = write(t, program);
  const plain = await run(config, way);
  t.deepEqual(plain.audit, []);
  for (const [name, other] of Object.entries({
    'in blocks of one crank': { blockSize: 1 },
    'in blocks of three': { blockSize: 3 },
    'resumed after each crank': { blockSize: 1, reopen: true },
    'resumed after every second crank': { blockSize: 2, reopen: true },
  })) {
    const again = await run(config, { ...way, ...other });
    t.deepEqual(again, plain, name);
  }
  return plain;
};

/**
 * The message with which a program is refused; the config is called swingset.json in it, wherever it is.
 *
 * @param {ExecutionContext} t
 * @param {Program} program
 */
export const refusal = async (t, program) => {
  const config = write(t, program);
  const error = await t.throwsAsync(() => run(config));
  t.is(error?.constructor.name, 'UserError', String(error?.stack));
  return (error?.message ?? '').replace(`${config.configFile}:`, 'swingset.json:');
};
