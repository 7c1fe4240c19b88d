// Virtual and durable data against today's liveslots: the logs in `fixtures/virtual/` are what `@agoric/swingset-liveslots` 0.11.0
// said to its kernel for the same programs, with a Map for the vat's store and a full collection in each `bringOutYourDead`.

import '#testkit/lockdown.js';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { runProgram } from './run-virtual.js';

/** @param {string} file */
const fixture = file => new URL(`fixtures/virtual/${file}`, import.meta.url);

const programs = {
  basic: 'kinds, collections, their errors, and what dies with them',
  upgrade: 'durable data and watched promises through four incarnations',
  weak: 'weak collections, in the store and in memory',
};

for (const [name, about] of Object.entries(programs))
  test.serial(`liveslots says the same to the kernel: ${about}`, async t => {
    const { program } = await import(fixture(`${name}.js`).href);
    const kept = readFileSync(fixture(`${name}.log`), 'utf8')
      .trimEnd()
      .split('\n');
    t.deepEqual(await runProgram(program), kept);
  });

test.serial(
  'a presence that virtual data names has the interface with which it was stored',
  async t => {
    const read =
      (/** @type {any} */ { Far, say }) =>
      (/** @type {any} */ _powers, /** @type {any} */ _parameters, /** @type {any} */ baggage) => {
        if (baggage.has('friend')) say(baggage.get('friend'));
        return Far('root', { keep: (/** @type {any} */ it) => baggage.init('friend', it) });
      };
    const keep = async (/** @type {any} */ { deliver }) =>
      deliver('o+0', 'keep', ['$0.Alleged: friend'], ['o-50']);
    const lines = await runProgram({
      incarnations: [{ build: read, steps: keep }, { build: read }],
    });
    t.true(lines.includes('["say","[object Alleged: friend]"]'), lines.join('\n'));
  },
);

test.serial(
  'a result that is not there yet holds neither the arguments nor the object',
  async t => {
    const build =
      (/** @type {any} */ { Far }) =>
      () => {
        const later = () => new Promise(() => {});
        return Far('root', { later, make: () => Far('made', { later }) });
      };
    const steps = async (/** @type {any} */ { deliver, drop, boyd }) => {
      await deliver('o+0', 'later', ['$0.Alleged: friend'], ['o-50']);
      await deliver('o+0', 'make');
      await deliver('o+10', 'later');
      await drop('o+10');
      await boyd();
    };
    const lines = await runProgram({ build, steps });
    t.true(lines.includes('["dropImports",["o-50"]]'), lines.join('\n'));
    t.true(lines.includes('["retireExports",["o+10"]]'), lines.join('\n'));
  },
);

test.serial(
  'a promise that virtual data names no longer is collected, with what waits for it',
  async t => {
    const build =
      (/** @type {any} */ { E, Far, VatData }) =>
      () => {
        const map = VatData.makeScalarBigMapStore('map');
        const durable = VatData.makeScalarBigMapStore('durable', { durable: true });
        const make = (/** @type {any} */ it) => {
          const promise = new Promise(() => {});
          E(promise)
            .hi(it)
            .catch(() => {});
          return harden(promise);
        };
        return Far('root', {
          refuse: (/** @type {any} */ it) => {
            t.throws(() => durable.init('it', make(it)), { message: /is not durable/ });
          },
          forget: (/** @type {any} */ it) => {
            map.init('it', make(it));
            map.delete('it');
          },
          keep: (/** @type {any} */ it) => map.init('it', make(it)),
        });
      };
    const steps = async (/** @type {any} */ { deliver, boyd }) => {
      for (const [place, method] of ['refuse', 'forget', 'keep'].entries())
        await deliver('o+0', method, [`$0.Alleged: friend`], [`o-5${place}`]);
      await boyd();
    };
    const lines = await runProgram({ build, steps });
    t.true(lines.includes('["dropImports",["o-50","o-51"]]'), lines.join('\n'));
    t.false(lines.some(line => line.startsWith('["retireExports"')));
  },
);
