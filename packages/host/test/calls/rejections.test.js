// The way of an error through vats: where each sent the message that was rejected with it.

import test from 'ava';

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation, parseError } from '#host';

const far = "import { E, Far } from '@endo/far';\n";

/** @param {string} name @param {string} methods */
const root = (name, methods) =>
  `${far}export const buildRootObject = () => Far('${name}', { ${methods} });`;

/**
 * Runs vats whose bootstrap is rejected.
 *
 * @param {string} name
 * @param {Record<string, string>} methods  of the root of each vat
 */
const explain = async (name, methods, options = {}) => {
  const folder = join(directoryOfProcess('rejections'), name);
  mkdirSync(folder, { recursive: true });
  for (const [vat, text] of Object.entries(methods)) {
    const file = vat === 'bootstrap' ? 'bootstrap.js' : `vat-${vat}.js`;
    writeFileSync(join(folder, file), root(vat, text));
  }
  /** @type {string[]} */
  const printed = [];
  const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
    store: makeMemoryStore(),
    observer: { onConsole: (_vat, _level, text) => void printed.push(text) },
    ...options,
  });
  await simulation.run();
  const { state, data } = simulation.status(simulation.bootstrapResult);
  const error = parseError(/** @type {import('#model').CapData} */ (data));
  const before = simulation.activityHash();
  const lines = await simulation.explainRejection(/** @type {any} */ (error));
  const isSame = simulation.activityHash() === before;
  return {
    simulation,
    state,
    isSame,
    printed,
    lines: lines.map(line => line.replace(/at \S*\//, 'at ')),
  };
};

for (const options of [{}, { workers: 1 }]) {
  const where = 'workers' in options ? ', on a thread' : '';

  test(`each vat on the way is reported, the last first${where}`, async t => {
    const told = await explain(
      `chain${where.length}`,
      {
        bootstrap: `async bootstrap(vats) {
          await E(vats.bob).ask(vats.carol).catch(() => 'another');
          return E(vats.bob).askIt(vats.carol);
        }`,
        bob: `ask: carol => E(carol).quik(), askIt(carol) { console.log('once'); return E(carol).quick(); }`,
        carol: `quick() { throw RangeError('too quick'); }`,
      },
      options,
    );
    await told.simulation.close();
    t.like(told, { state: 'rejected', isSame: true, printed: ['once'] });
    t.deepEqual(told.lines, [
      'vat bob sent quick(), which was rejected so, at vat-bob.js:2:134',
      'vat bootstrap sent askIt(), which was rejected so, at bootstrap.js:4:30',
    ]);
  });

  test(`a message that could not be sent is reported with those before it${where}`, async t => {
    const told = await explain(
      `refused${where.length}`,
      {
        bootstrap: 'bootstrap: vats => E(vats.bob).ask(vats.carol)',
        bob: `ask: carol => {
          E(carol).take(new Set()).catch(() => {});
          return E(carol).take(new Date(0));
        }`,
        carol: 'take() {}',
      },
      options,
    );
    await told.simulation.close();
    t.deepEqual(told.lines, [
      'vat bob was to send that, at vat-bob.js:3:20',
      'vat bootstrap sent ask(), which was rejected so, at bootstrap.js:2:88',
    ]);
  });
}

test('an error without a rejected message has no explanation, and a value that is not an error is refused', async t => {
  const told = await explain('own', { bootstrap: "bootstrap() { throw Error('own'); }" });
  t.deepEqual(told.lines, []);
  const { simulation } = told;
  for (const given of [undefined, 'kp40', { name: 'Error' }])
    await t.throwsAsync(() => simulation.explainRejection(/** @type {any} */ (given)), {
      message: /^explainRejection\(\) takes an error with name and message, got /,
    });
  await simulation.close();
});
