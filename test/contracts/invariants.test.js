// Random traders, with and without mistakes, over honest and rogue contracts, of which any may end at any time; with
// deadlines, an issuer that does not answer, and crashes with resume in between. Whatever happens, nothing is made,
// lost, or held for good (demos/contracts/README.md, "Invariants"). A failure names its seed.
//
//   SIMULATOR_RUNS=200 npx ava test/contracts/invariants.test.js     more of them
//   SIMULATOR_SEED=1234 npx ava test/contracts/invariants.test.js    that one alone

import os from 'node:os';
import path from 'node:path';

import test from 'ava';

import { loadConfig, makeSimulation } from '#host';
import { audit } from '#kernel';
import { makeMemoryStore } from '#store';
import { makeRandom } from '#testkit';

/** @typedef {ReturnType<typeof makeRandom>} Random */

const runs = Math.ceil(Number(process.env.SIMULATOR_RUNS ?? 50) / 8);
const only = process.env.SIMULATOR_SEED;
const firstSeed = Math.floor(Math.random() * 1e9);
const seeds = only === undefined ? Array.from({ length: runs }, (_, i) => firstSeed + i) : [only];

const baseDir = new URL('../fixtures/contracts', import.meta.url).pathname;
const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

const traders = ['trader0', 'trader1', 'trader2', 'trader3'];
const currencies = ['moola', 'simoleans'];

const flaws = [
  ...['brand', 'negative', 'keyword', 'more', 'field', 'exit', 'nothing', 'noPayments', 'extra'],
  ...['used', 'forged', 'alias', 'never', 'late', 'rejects'],
];
const rogueWays = [
  ...['steal', 'steal', 'steal', 'make', 'lose', 'twice', 'other', 'shape', 'keyword', 'negative'],
  ...['silent', 'fail', 'keep', 'keep', 'keep', 'keep', 'exit', 'exitAndFail', 'shutdown', 'end'],
];

/** @typedef {{ vat: string, method: string, args: unknown[] }} Action */

/**
 * @param {Random} random
 * @returns {Action}
 */
const makeAction = random => {
  const some = (/** @type {number} */ limit) => BigInt(random.below(limit));
  const exit = () =>
    random.pick(['onDemand', 'onDemand', 'waived', some(60), some(60), some(400) * 1000n]);
  const flaw = random.chance(0.3) ? random.pick(flaws) : undefined;
  const how = () => ({ exit: exit(), flaw, paysTwice: random.chance(0.1) });
  const [asset, price] = [{ Asset: ['moola', some(4)] }, { Price: ['simoleans', some(4)] }];
  const onExchange = () => {
    const [give, want] = random.chance(0.5) ? [asset, price] : [price, asset];
    return { at: 'exchange', give, want, ...how() };
  };
  const onPaper = () => {
    const paper = { Price: ['paper', some(4)] };
    const [give, want] = random.chance(0.5) ? [asset, paper] : [paper, asset];
    return { at: 'paper', give, want, ...how() };
  };
  const atRogue = () => {
    /** @type {Record<string, unknown>} */
    const give = { ...asset };
    if (random.chance(0.4)) give.More = ['moola', some(3)];
    if (random.chance(0.2)) give.Paper = ['paper', some(3)];
    const want = random.chance(0.9) ? { Price: ['simoleans', 1n + some(3)] } : {};
    return { at: 'rogue', what: random.pick(rogueWays), give, want, ...how() };
  };
  const trade = () => random.pick([onExchange, onExchange, onPaper, atRogue, atRogue])();
  const swap = () => ({
    other: random.pick(traders),
    first: { give: asset, want: price, ...how() },
    second: {
      give: random.chance(0.8) ? price : { Price: ['simoleans', some(4)] },
      want: random.chance(0.8) ? asset : { Asset: ['moola', some(4)] },
      ...how(),
    },
  });
  const vat = random.pick(traders);
  const method = random.pick([
    ...['trade', 'trade', 'trade', 'trade', 'trade', 'trade', 'startSwap', 'startSwap'],
    ...['withdraw', 'withdraw', 'tradeWithTwo', 'combineWithItself'],
  ]);
  /** @type {Record<string, () => unknown>} */
  const argument = {
    trade,
    tradeWithTwo: trade,
    startSwap: swap,
    withdraw: () => 1 + random.below(3),
    combineWithItself: () => ({ name: random.pick(currencies), value: 1n + some(3) }),
  };
  if (random.chance(0.01)) return { vat, method: 'end', args: [] };
  if (random.chance(0.04))
    return { vat: 'bootstrap', method: 'endContract', args: [random.below(4)] };
  if (random.chance(0.1)) return { vat: 'bootstrap', method: 'openMarkets', args: [] };
  return { vat, method, args: [argument[method]()] };
};

/** @param {unknown} value  data in capdata's notation */
const readBigints = value =>
  JSON.parse(/** @type {string} */ (value).slice(1), (_key, each) =>
    typeof each === 'string' && /^[+-]\d+$/.test(each) ? BigInt(each) : each,
  );

/** A world of traders under a seed, watched after each crank. */
class World {
  /** @type {import('#host').Simulation} */
  simulation = /** @type {any} */ (undefined);

  store = makeMemoryStore();

  /** The last line of each ledger. @type {Map<string, string>} */
  ledgers = new Map();

  /** The ledgers when the last block was committed. */
  committed = new Map();

  /** @type {string[]} */
  violations = [];

  cranks = 0;

  async open(resume = false) {
    this.simulation = await makeSimulation(resume ? undefined : loadConfig({ baseDir }), {
      // It is closed and opened again.
      store: { ...this.store, close: async () => {} },
      resume,
      cacheDir,
      observer: {
        onConsole: (_vatName, _level, text) => {
          const [kind, name, ...figures] = text.split(' ');
          if (kind === 'ledger') this.ledgers.set(name, figures.join(' '));
          if (kind === 'VIOLATION:') this.violations.push(text);
        },
      },
    });
  }

  /** Lose what was not committed. */
  async crash() {
    await this.simulation.close();
    this.ledgers = new Map(this.committed);
    await this.open(true);
  }

  async commit() {
    await this.simulation.commit();
    this.committed = new Map(this.ledgers);
  }

  /** One crank, and what must be so after it. @returns {Promise<boolean>} there was one */
  async step() {
    if ((await this.simulation.runCranks(1)) === 0) return false;
    this.cranks += 1;
    // I1: what purses and payments hold is what was minted less what was burned.
    for (const [name, figures] of this.ledgers) {
      const [total, supply] = figures.split(' ');
      if (total !== supply) this.violations.push(`${name}: ${total} there, ${supply} minted`);
    }
    if (this.violations.length > 0) throw Error(this.violations.join('; '));
    return true;
  }

  async toQuiet() {
    while (await this.step());
    const problems = audit(this.simulation.kernel.state);
    if (problems.length > 0) throw Error(problems.join('; '));
  }

  /** @param {string} name */
  isRunning(name) {
    return this.simulation.kernel.vats().some(vat => vat.name === name && vat.state === 'running');
  }

  /** @param {Action} action */
  send({ vat, method, args }) {
    if (!this.isRunning(vat)) return;
    const result = this.simulation.queueToVatRoot(vat, method, args);
    this.simulation.release(result);
  }

  /** @param {string} vat @param {string} method */
  async ask(vat, method) {
    if (!this.isRunning(vat)) return undefined;
    const result = this.simulation.queueToVatRoot(vat, method, []);
    await this.toQuiet();
    const { state, data } = this.simulation.status(result);
    this.simulation.release(result);
    if (state !== 'data' || data === null)
      throw Error(`${vat} does not answer ${method}: ${state}, ${data?.body}`);
    return readBigints(data.body);
  }

  /** I2: when all is quiet, the pools hold what seats are allocated, and traders the rest. */
  async checkPools() {
    await this.toQuiet();
    const allocated = await this.ask('escrow', 'allocated');
    const looked = await this.ask('bootstrap', 'look');
    for (const name of currencies) {
      const { pools, supply } = looked[name];
      const wanted = allocated.sums[name] ?? 0n;
      if (pools !== wanted)
        throw Error(`pools hold ${pools} ${name}, seats are allocated ${wanted}`);
      if (supply !== 400n) throw Error(`there are ${supply} ${name}`);
    }
    return { looked, allocated };
  }
}

const seen = { cranks: 0, accepted: 0, refused: 0, traded: 0, crashes: 0, ended: 0 };

/** @param {string | number} seed */
const simulate = async seed => {
  const random = makeRandom(`contracts ${seed}`);
  const world = new World();
  await world.open();
  await world.toQuiet();
  await world.commit();
  for (let turn = 0; turn < 12; turn += 1) {
    for (let count = 1 + random.below(5); count > 0; count -= 1) world.send(makeAction(random));
    // Time passes only where all is quiet, so deadlines are met where a run is long enough.
    for (let cranks = random.below(250); cranks > 0; cranks -= 1) {
      if (!(await world.step())) break;
      if (random.chance(0.08)) await world.commit();
      if (random.chance(0.005)) {
        await world.crash();
        seen.crashes += 1;
      }
    }
    if (random.chance(0.2)) await world.checkPools();
  }
  // Everyone leaves, and where that cannot be, the contracts end.
  for (const vat of traders) world.send({ vat, method: 'withdraw', args: [1000] });
  await world.toQuiet();
  world.send({ vat: 'bootstrap', method: 'endAllContracts', args: [] });
  const { looked, allocated } = await world.checkPools();
  if (allocated.seats > 0) throw Error(`${allocated.seats} seats have not exited`);
  let ended = 0;
  for (const vat of traders) {
    const counts = await world.ask(vat, 'look');
    if (counts === undefined) {
      ended += 1;
      continue;
    }
    if (counts.paid !== counts.accepted)
      throw Error(`${vat}: ${counts.accepted} offers accepted, ${counts.paid} paid out`);
    for (const name of /** @type {const} */ (['accepted', 'refused', 'traded']))
      seen[name] += counts[name];
  }
  for (const name of currencies) {
    const { pools, payments, traders: held } = looked[name];
    if (pools !== 0n) throw Error(`the escrow has kept ${pools} ${name}`);
    // An ended trader's payments are gone with it.
    if (ended === 0 && payments !== 0n)
      throw Error(`${payments} ${name} lie about, ${held} do not`);
  }
  seen.ended += ended;
  seen.cranks += world.cranks;
  await world.simulation.close();
};

const describe = (/** @type {unknown} */ error) =>
  error instanceof Error ? `${error.message}\n${error.stack}` : String(error);

const perTest = 25;
for (let from = 0; from < seeds.length; from += perTest) {
  const some = seeds.slice(from, from + perTest);
  test.serial(`${some.length} random worlds from ${some[0]} keep all invariants`, async t => {
    t.timeout(60_000 + some.length * 20_000);
    for (const seed of some) {
      try {
        await simulate(seed);
      } catch (error) {
        t.fail(`SIMULATOR_SEED=${seed}: ${describe(error)}`);
      }
    }
    t.log(JSON.stringify(seen));
    t.pass();
  });
}
