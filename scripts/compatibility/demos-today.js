// Runs today's demos under `current`. Compares the lines that vats print, and the order of messages and notifies, with the
// real kernel's, where they are known.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { methodNameOf } from '#kernel';
import { nameEnded, nameVats } from './name-vats.js';

/** @import { Row } from './rows.js' */

/** The real kernel's run: lines that vats print, and deliveries, each as a digest. @typedef {{ log: string, order: string }} Known */

const reference = new URL('../../test/reference/compatibility/real-today.json', import.meta.url);

/** @returns {Record<string, Known>} by what is run */
const readKnown = () => (existsSync(reference) ? JSON.parse(readFileSync(reference, 'utf8')) : {});

/** Arguments of the demos that need some; a demo with several lists runs once with each. @type {Record<string, string[][]>} */
const argumentsOf = {
  exchangeBenchmark: [['--prime']],
  swapBenchmark: [['--prime']],
  terminateVat: [['kill'], ['happy'], ['exceptionallyHappy'], ['sad'], ['exceptionallySad']],
  zoeTests: [
    ['simpleExchangeOk'],
    ['simpleExchangeNotifier'],
    ['autoswapOk'],
    ['automaticRefundOk'],
    ['coveredCallOk'],
    ['swapForOptionOk'],
    ['secondPriceAuctionOk'],
    ['atomicSwapOk'],
    ['sellTicketsOk'],
    ['otcDeskOk'],
  ],
};

/** Demos whose bootstrap is rejected, also in the real kernel: a vat ends in the crank of the message that bootstrap awaits. */
const rejected = new Set(['terminateVat sad', 'terminateVat exceptionallySad']);

/** @param {unknown} lines */
export const digest = lines => createHash('sha256').update(JSON.stringify(lines)).digest('hex');

/**
 * @param {string} directory
 * @param {string[]} argv
 */
const runDemo = async (directory, argv) => {
  /** @type {string[]} */
  const log = [];
  /** @type {string[][]} */
  const order = [];
  /** @type {Map<string, string>} */
  const names = new Map();
  const writerOf = nameVats(name => ([...names.values()].includes(name) ? name : undefined));
  const receiverOf = nameVats(vatId => names.get(vatId));
  // SwingSet's default: comms sends what is gone, so the order depends on when vats are asked for dead references.
  const config = { defaultReapInterval: 1, ...loadConfig({ baseDir: directory, argv }) };
  const simulation = await makeSimulation(config, {
    store: makeMemoryStore(),
    onKernel: kernel => {
      for (const { vatId, name } of kernel.vats()) names.set(vatId, name);
    },
    observer: {
      onConsole: (name, _level, text) =>
        void log.push(`${writerOf(name)}: ${nameEnded(text, vatId => names.get(vatId))}`),
    },
    crankObserver: {
      delivered: ({ vatId, plan }) => {
        const delivery = plan?.kernelDelivery;
        if (delivery?.[0] === 'message')
          order.push([receiverOf(vatId), 'message', methodNameOf(delivery[2])]);
        if (delivery?.[0] === 'notify') order.push([receiverOf(vatId), 'notify']);
      },
    },
  });
  await simulation.run();
  const { state, data } = simulation.status(simulation.bootstrapResult);
  const failure = state === 'rejected' ? data.body : undefined;
  await simulation.close();
  return { log, order, failure };
};

/**
 * @param {string} name
 * @param {string} directory
 * @param {string[]} argv
 * @param {Known | undefined} known
 * @returns {Promise<Row>}
 */
const judgeDemo = async (name, directory, argv, known) => {
  try {
    const { log, order, failure } = await runDemo(directory, argv);
    if (failure !== undefined && !rejected.has(name))
      return { name, result: 'fails', reason: `bootstrap is rejected with ${failure}` };
    if (known === undefined) return { name, result: 'runs' };
    const isLogEqual = digest(log) === known.log;
    if (isLogEqual && digest(order) === known.order) return { name, result: 'equal' };
    const reason = isLogEqual ? 'another order of deliveries' : 'prints something else';
    return { name, result: 'differs', reason };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return { name, result: 'refused', reason: message.replaceAll(directory, '.') };
  }
};

/** @param {string} folder @param {string} only */
const listDemos = (folder, only) =>
  readdirSync(folder)
    .sort()
    .flatMap(demo => (argumentsOf[demo] ?? [[]]).map(argv => ({ demo, argv })))
    .map(({ demo, argv }) => ({ demo, argv, name: [demo, ...argv].join(' ') }))
    .filter(({ name }) => name.includes(only));

/**
 * Stores the real kernel's runs. Entries of demos that it did not run stay.
 *
 * @param {string} sdk  as of `runDemosToday`
 * @param {string} [only]
 * @throws {Error} if the real kernel ran none
 */
export const runRealDemos = (sdk, only = '') => {
  const folder = join(sdk, 'packages/swingset-runner/demo');
  const names = listDemos(folder, only).map(({ name }) => name);
  const script = join(import.meta.dirname, 'real-demos.js');
  const { stdout } = spawnSync(process.execPath, [script, folder, ...names], {
    cwd: sdk,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Programs print, too.
  const lines = stdout.split('\n').filter(line => line.startsWith('{"name":'));
  if (lines.length === 0) throw Error(`the real kernel ran no demo of ${folder}`);
  const found = lines.map(line => {
    const { name, log, order } = JSON.parse(line);
    return [name, { log: digest(log), order: digest(order) }];
  });
  const known = { ...readKnown(), ...Object.fromEntries(found) };
  writeFileSync(
    reference,
    `${JSON.stringify(known, Object.keys(known).sort().concat('log', 'order'), 1)}\n`,
  );
};

/**
 * @param {string} sdk  a checkout of today's agoric-sdk, its packages installed and its contracts prepared
 * @param {(row: Row) => void} tell
 * @param {string} [only]  a part of what is run
 * @returns {Promise<Row[]>}
 */
export const runDemosToday = async (sdk, tell, only = '') => {
  const folder = join(sdk, 'packages/swingset-runner/demo');
  const known = readKnown();
  const rows = [];
  for (const { demo, argv, name } of listDemos(folder, only)) {
    const row = await judgeDemo(name, join(folder, demo), argv, known[name]);
    tell(row);
    rows.push(row);
  }
  return rows;
};
