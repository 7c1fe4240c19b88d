// Savina's programs with small parameters: as a library, in one vat and in several, in blocks of any size. Each checks its
// own results, and fails if one is wrong.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import fc from 'fast-check';

import { makeMemoryStore, makeSimulation } from '#host';
import { loadConfig } from '#config';
import { audit } from '#kernel';
import { runFast } from '#reactor';
import { demoDirectory, readDemo } from './compare/load.js';

const folder = demoDirectory('savina');
const programs = fs
  .readdirSync(folder, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && entry.name !== 'common')
  .map(({ name }) => name)
  .sort();

/** @param {string} name @param {string} config */
const load = (name, config) => loadConfig({ configFile: path.join(folder, name, config) });

/** @param {string} name */
const runLibrary = async name => {
  const { makeMain } = await import(path.join(folder, name, `${name}.js`));
  const { parameters } = load(name, 'swingset.json').vats[name];
  /** @type {string[]} */
  const results = [];
  const { argv: _, ...given } = parameters;
  const tell = (/** @type {{ event: string, text?: string }} */ { event, text }) => {
    if (event === 'result') results.push(`${text}`);
  };
  const { counts } = runFast(makeMain({ ...given, tell }));
  return { results, counts };
};

/** @param {string} name @param {string} config @param {number} blockSize */
const runVats = async (name, config, blockSize) => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const printed = [];
  /** @type {string[]} */
  const errors = [];
  const simulation = await makeSimulation(load(name, config), {
    store,
    observer: {
      onConsole: (_vat, _level, text) => void printed.push(text),
      onVatError: (vat, error) => void errors.push(`${vat}: ${error}`),
    },
  });
  await simulation.run({ blockSize });
  simulation.stopPrograms();
  await simulation.run({ blockSize });
  const results = printed.flatMap(line => / computed (.*)/.exec(line)?.[1] ?? []);
  const ended = {
    results,
    errors,
    cranks: simulation.cranks.all,
    hash: simulation.activityHash(),
    audit: audit(simulation.kernel.state),
  };
  await simulation.close();
  return ended;
};

/** @param {unknown} value */
const hashOf = value =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

test('Savina has thirty programs, and its ping-pong for two pairs is one more', t => {
  t.is(programs.length, 31);
  const readme = readDemo('savina', 'README.md');
  for (const name of programs) t.true(readme.includes(`| \`${name}\``), name);
});

for (const name of programs) {
  test.serial(`${name} computes the same as a library, in one vat and in several`, async t => {
    const library = await runLibrary(name);
    t.is(library.results.length, 2);
    t.is(library.results[0], library.results[1]);
    /** @type {Record<string, string>} */
    const hashes = { library: hashOf(library) };
    for (const config of ['swingset.json', 'vats.json']) {
      const { hash, ...plain } = await runVats(name, config, 1_000);
      t.deepEqual(plain.errors, []);
      t.deepEqual(plain.audit, []);
      t.deepEqual(plain.results, library.results);
      t.deepEqual(await runVats(name, config, 7), { hash, ...plain });
      hashes[config] = hashOf(plain);
    }
    t.snapshot(hashes);
  });

  test.serial(`${name} refuses a parameter that it does not have`, async t => {
    const { makeMain } = await import(path.join(folder, name, `${name}.js`));
    t.throws(() => makeMain({ sizes: 1 }), {
      message: /^there is no parameter "sizes"; there are /,
    });
  });
}

test('a wrong result ends the program with what is wrong', async t => {
  const { makeMain } = await import(path.join(folder, 'nqueenk', 'nqueenk.js'));
  const main = makeMain({ size: 4, threshold: 1, workers: 2, tell: () => {} });
  // A worker that finds one solution too few.
  const [worker] = main.node.children.filter(
    (/** @type {any} */ { reactor }) => reactor.constructor.name === 'Worker',
  );
  const [reaction] = worker.reactions;
  reaction.body = () => worker.reactor.solutions.set(1);
  t.throws(() => runFast(main), { message: /wrong result: 1 solutions were found, not 2$/ });
});

test('a full waiting room loses no customer of the barber', async t => {
  const { makeMain } = await import(path.join(folder, 'barber', 'barber.js'));
  /** @type {(string | undefined)[]} */
  const results = [];
  const tell = (/** @type {{ event: string, text?: string }} */ { event, text }) => {
    if (event === 'result') results.push(text);
  };
  const parameters = { haircuts: 7, chairs: 1, productionRate: 3, haircutRate: 50 };
  runFast(makeMain({ ...parameters, iterations: 1, tell }));
  t.is(results.length, 1);
  t.regex(`${results[0]}`, /^7 haircuts of \d+ attempts$/);
});

test('numbers that a matrix packs for another vat come back', async t => {
  const { readNumbers, writeNumbers } = await import(path.join(folder, 'common/number-text.js'));
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.double(), fc.maxSafeInteger())), given => {
      const read = given.map(() => -1);
      readNumbers(writeNumbers(given), read);
      // A vat's port knows no -0 either.
      const expected = given.map(number => (number === 0 ? 0 : number));
      t.deepEqual(read, expected);
    }),
  );
});
