// The end of a large vat while others talk, in a process of its own. Started by suite.js.

import fs from 'node:fs';
import path from 'node:path';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { answer, withTemporaryFolder } from '../process.js';

/**
 * @typedef {object} LargeOptions
 * @property {number} size  the number of objects exported by the vat, and of keys in its store
 * @property {'current' | '2020-09'} profile
 */

/** @typedef {{ usualMs: number[], endingMs: number[], activityHash: string }} LargeResult  times of blocks of 200 cranks */

/** Objects and keys per crank, so that no crank is unusually large. */
const together = 1000;

const bootstrap = `
import { E, Far } from '@endo/far';
export const buildRootObject = () => {
  let large;
  let echo;
  let isTalking = true;
  const talk = async () => {
    while (isTalking) await E(echo).hear();
  };
  return Far('bootstrap', {
    async bootstrap(vats, devices) {
      ({ echo } = vats);
      const service = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
      large = await E(service).createVatByName('large', { enableSetup: true });
    },
    async grow(from, to) {
      await E(large.root).grow(from, to);
    },
    talk() {
      isTalking = true;
      for (let i = 0; i < 5; i += 1) talk();
    },
    end() {
      E(large.adminNode).terminateWithFailure('too large');
    },
    hush() {
      isTalking = false;
    },
  });
};
`;

const echo = `
import { Far } from '@endo/far';
export const buildRootObject = () => Far('echo', { hear() {} });
`;

const large = `
import { kser, kslot, kunser } from '@agoric/kmarshal';
export default syscall => delivery => {
  if (delivery[0] !== 'message') return;
  const [_kind, _target, { methargs, result }] = delivery;
  const [_method, [from, to]] = kunser(methargs);
  const objects = [];
  for (let i = from; i < to; i += 1) {
    objects.push(kslot('o+' + (i + 1)));
    syscall.vatstoreSet('key.' + i, 'value ' + i);
  }
  syscall.resolve([[result, false, kser(objects)]]);
};
`;

const config = {
  bootstrap: 'bootstrap',
  bundles: { large: { sourceSpec: 'large.js' } },
  vats: { bootstrap: { sourceSpec: 'bootstrap.js' }, echo: { sourceSpec: 'echo.js' } },
};

await answer((/** @type {LargeOptions} */ { size, profile }) =>
  withTemporaryFolder('vats', async dir => {
    const files = {
      'bootstrap.js': bootstrap,
      'echo.js': echo,
      'large.js': large,
      'swingset.json': JSON.stringify(config),
    };
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
    const simulation = await makeSimulation(loadConfig({ baseDir: dir }), {
      store: makeMemoryStore(),
      engineFlags: 'speed',
      profile,
    });
    await simulation.run();
    const send = (/** @type {string} */ method, /** @type {unknown[]} */ args = []) =>
      simulation.release(simulation.queueToVatRoot('bootstrap', method, args));
    for (let from = 0; from < size; from += together) {
      send('grow', [from, Math.min(from + together, size)]);
      await simulation.run();
    }

    const { vats } = simulation.kernel.state;
    const largeId = vats.vatIds().at(-1) ?? '';
    if (vats.clist(largeId).size < size) throw Error(`vat ${largeId} has not grown`);
    const isThere = () => vats.vats.get(largeId) !== undefined;
    const block = async () => {
      const start = performance.now();
      await simulation.run({ blockSize: 200, maxCranks: 200 });
      return performance.now() - start;
    };
    /** @type {number[]} */
    const usualMs = [];
    /** @type {number[]} */
    const endingMs = [];
    send('talk');
    for (let i = 0; i < 100; i += 1) await block();
    for (let i = 0; i < 100; i += 1) usualMs.push(await block());
    send('end');
    while (isThere()) endingMs.push(await block());
    send('hush');
    await simulation.run();
    /** @type {LargeResult} */
    const result = { usualMs, endingMs, activityHash: simulation.activityHash() };
    await simulation.close();
    return result;
  }),
);
