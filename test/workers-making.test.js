// The kernel looks ahead while a vat is being made on a thread. A vat that holds a device must not begin there in front
// of it: in its device call it would wait for its turn, and its thread would make no vat.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { loadConfig, makeSimulation, runRounds } from '#host';
import { makeMemoryStore, storeDigest } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

const counter = `
  export const buildRootDeviceNode = () => {
    let count = 0;
    return harden({
      count() {
        count += 1;
        return count;
      },
    });
  };
`;

/**
 * Makes a vat in each round. Its start is queued in front of a message to a vat that calls a device, and behind one to a
 * vat that works for long, so that the kernel looks ahead while the new vat is being made.
 */
const writeMaker = (/** @type {import('ava').ExecutionContext} */ t) => {
  const dir = temporaryDirectory(t);
  const write = (/** @type {string} */ name, /** @type {string} */ source) =>
    fs.writeFileSync(path.join(dir, name), `import { E, Far } from '@endo/far';\n${source}`);
  write(
    'maker.js',
    `export const buildRootObject = () => {
       let vats;
       let service;
       let first;
       return Far('maker', {
         async bootstrap(given, devices) {
           vats = given;
           service = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
           await E(vats.holder).take(devices.counter);
         },
         async runBenchmarkRound() {
           // The three get to their vats at one tag, and what these send is queued at the next.
           const working = E(vats.before).pass(vats.worker, 'work');
           const making = E(service).createVatByName('guest');
           const counting = E(vats.behind).pass(vats.holder, 'count');
           const { root } = await making;
           console.log(await working, await counting, await E(root).hello());
         },
       });
     };`,
  );
  write(
    'relay.js',
    `export const buildRootObject = () => Far('relay', { pass: (to, name) => E(to)[name]() });`,
  );
  write(
    'worker.js',
    `export const buildRootObject = () =>
       Far('worker', {
         work() {
           let sum = 0;
           for (let i = 0; i < 2e6; i += 1) sum = (sum * 31 + i) % 65537;
           return sum;
         },
       });`,
  );
  write(
    'holder.js',
    `export const buildRootObject = ({ D }) => {
       let device;
       return Far('holder', {
         take(given) { device = given; },
         count: () => D(device).count(),
       });
     };`,
  );
  write('guest.js', `export const buildRootObject = () => Far('guest', { hello: () => 'hello' });`);
  fs.writeFileSync(path.join(dir, 'counter.js'), counter);
  const onWorker = { creationOptions: { managerType: 'worker' } };
  const config = {
    bootstrap: 'maker',
    vats: {
      maker: { sourceSpec: './maker.js', creationOptions: { managerType: 'local' } },
      before: { sourceSpec: './relay.js', creationOptions: { managerType: 'local' } },
      behind: { sourceSpec: './relay.js', creationOptions: { managerType: 'local' } },
      worker: { sourceSpec: './worker.js', creationOptions: { managerType: 'local' } },
      holder: { sourceSpec: './holder.js', ...onWorker },
    },
    bundles: { guest: { sourceSpec: './guest.js' } },
    devices: { counter: { sourceSpec: './counter.js' } },
  };
  fs.writeFileSync(path.join(dir, 'swingset.json'), JSON.stringify(config));
  return dir;
};

/** @param {string} baseDir @param {number} workers */
const run = async (baseDir, workers) => {
  const store = makeMemoryStore();
  /** @type {string[]} */
  const said = [];
  const simulation = await makeSimulation(loadConfig({ baseDir }), {
    ...{ store, workers },
    observer: { onConsole: (vat, _level, text) => said.push(`${vat} ${text}`) },
  });
  await runRounds(simulation, { rounds: 6 });
  const hash = simulation.activityHash();
  await simulation.close();
  return { hash, said, digest: storeDigest(store) };
};

test('a vat that waits in a device call does not keep a thread from making another', async t => {
  t.timeout(60_000);
  const baseDir = writeMaker(t);
  const whole = await run(baseDir, 0);
  t.is(whole.said.length, 6);
  for (const workers of [1, 2])
    t.deepEqual(await run(baseDir, workers), whole, `${workers} threads`);
});

test('a vat whose bundle is larger than the ring to a thread runs there', async t => {
  const dir = temporaryDirectory(t);
  const rows = Array.from({ length: 20_000 }, (_, i) => JSON.stringify(`${i} ${'x'.repeat(100)}`));
  const source = `
    import { Far } from '@endo/far';
    const rows = [${rows.join(',\n')}];
    export const buildRootObject = () => Far('root', { bootstrap: () => rows.length });`;
  fs.writeFileSync(path.join(dir, 'bootstrap.js'), source);
  const hashOf = async (/** @type {number} */ workers) => {
    const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
      store: makeMemoryStore(),
      workers,
    });
    await simulation.run();
    const threads = simulation.workers().map(({ vats }) => vats);
    const hash = simulation.activityHash();
    await simulation.close();
    return { hash, threads };
  };
  const { hash } = await hashOf(0);
  t.deepEqual(await hashOf(1), { hash, threads: [1] });
});
