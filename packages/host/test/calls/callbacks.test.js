// The functions of a host program that the run calls may call the simulation: each method works or is refused by a clear
// error, and the run is as it would have been without the refused ones.

import test from 'ava';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit } from '#kernel';
import { storeDigest } from '#store';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';

/** @import { Handle } from '#host/calls/handles.js' */
/** @import { Simulation } from '#host/simulation.js' */

const folder = join(directoryOfProcess('callbacks'), 'program');
mkdirSync(folder, { recursive: true });
const files = {
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    vats: {
      bootstrap: { sourceSpec: 'bootstrap.js' },
      bob: { sourceSpec: 'bob.js' },
      button: { sourceSpec: 'button.js' },
    },
    devices: { own: { sourceSpec: 'own.js' } },
  }),
  'own.js': `
    export const buildRootDeviceNode = ({ handOut, onInput, endowments }) => {
      onInput(data => {
        handOut('before ' + data);
        endowments.told();
        handOut('behind ' + data);
      });
      return harden({ poke: () => endowments.poked() });
    };
  `,
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = ({ D }) => {
      let given;
      return Far('bootstrap', {
        bootstrap: (vats, devices) => { given = { vats, devices }; },
        round: async () => {
          console.log('a round');
          D(given.devices.own).poke();
          return E(given.vats.bob).hi(await E(given.vats.bob).hi(1));
        },
      });
    };
  `,
  'bob.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = () => Far('bob', { hi: i => i, object: () => Far('object', {}) });
  `,
  'button.js': `
    import { Reactor } from 'swingset-runner/reactor';
    class Button extends Reactor {
      press = this.physicalAction();
      show = this.reaction({ triggers: this.press }, () => console.log('pressed'));
    }
    export const buildReactor = () => new Button();
  `,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

/** @typedef {{ result: string, handle: Handle }} Held */
/** @typedef {(simulation: Simulation, held: Held) => unknown} Act */

/** Methods that give the run something at once, or make it go on. @type {Record<string, Act>} */
const mutators = {
  queueToVatRoot: simulation => simulation.queueToVatRoot('bob', 'hi', [7]),
  release: (simulation, { result }) => simulation.release(result),
  deviceInput: simulation => simulation.deviceInput('own', 'again'),
  physicalInput: simulation => simulation.physicalInput('button', 'press'),
  stopPrograms: simulation => simulation.stopPrograms(),
  addDeviceHook: simulation => simulation.addDeviceHook('own', 'hook', data => data),
  installBundle: simulation =>
    simulation.installBundle({ moduleFormat: 'getExport', source: 'function getExport() {}' }),
  pump: simulation => simulation.pump(1),
  commit: simulation => simulation.commit(),
  commitBlock: simulation => simulation.commitBlock(),
};

/** Methods that wait until they may. @type {Record<string, Act>} */
const waiting = {
  call: simulation => simulation.call('bob', 'hi', [7]),
  send: simulation => simulation.send('bob', 'hi', [7]),
  find: simulation => simulation.find('object'),
  'release a handle': (simulation, { handle }) => simulation.release(handle),
  run: simulation => simulation.run(),
  step: simulation => simulation.step(),
};

/** Functions of the host that run in the middle of something. */
const places = [
  'observer.onConsole',
  'crankObserver.begins',
  'crankObserver.delivered',
  'crankObserver.applied',
  'crankObserver.commits',
  'endowments.poked',
  'endowments.told',
  'clock.nowNs',
];

/**
 * @param {string} place  where it is done, once
 * @param {Act} act
 */
const runProgram = async (place, act) => {
  /** @type {string[]} */
  const outcomes = [];
  /** @type {Promise<unknown>[]} */
  const later = [];
  let isArmed = false;
  const note = (/** @type {any} */ error) => outcomes.push(`${error.name}: ${error.message}`);
  const at = (/** @type {string} */ here) => {
    if (!isArmed || here !== place) return;
    isArmed = false;
    try {
      const done = act(simulation, held);
      later.push(Promise.resolve(done).then(() => void outcomes.push('done'), note));
    } catch (error) {
      note(error);
    }
  };
  const store = { ...makeMemoryStore(), close: async () => {} };
  /** @type {any} */
  const crankObserver = {};
  for (const name of ['begins', 'delivered', 'applied', 'commits'])
    crankObserver[name] = () => at(`crankObserver.${name}`);
  /** @type {string[]} */
  const handedOut = [];
  /** @type {Simulation} */
  const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
    ...{ store, crankObserver },
    observer: { onConsole: () => at('observer.onConsole') },
    deviceEndowments: {
      own: { told: () => at('endowments.told'), poked: () => at('endowments.poked') },
    },
    onHandOut: (_device, data) => void handedOut.push(data),
    clock: { nowNs: (_vatId, timeNs) => (at('clock.nowNs'), timeNs), isLate: () => false },
  });
  const held = {
    result: simulation.queueToVatRoot('bob', 'hi', [5]),
    handle: await simulation.call('bob', 'object'),
  };
  isArmed = true;
  simulation.deviceInput('own', 'x');
  simulation.physicalInput('button', 'press');
  simulation.queueToVatRoot('bootstrap', 'round');
  await simulation.run();
  await Promise.all(later);
  await simulation.run();
  const problems = audit(simulation.kernel.state);
  const hash = simulation.activityHash();
  const digest = storeDigest(store);
  await simulation.close();
  const resumed = await makeSimulation(undefined, { store, resume: true });
  const answer = await resumed.call('bob', 'hi', [3]);
  await resumed.close();
  return { outcomes, rest: { problems, hash, digest, handedOut, answer } };
};

for (const place of places) {
  test.serial(`${place}: input during a crank is refused, and the run is the same`, async t => {
    const expected = await runProgram(place, () => {});
    t.deepEqual(expected.outcomes, ['done'], 'it was called');
    t.deepEqual(expected.rest.problems, []);
    t.deepEqual(expected.rest.handedOut, ['before x', 'behind x']);
    for (const [name, act] of Object.entries(mutators)) {
      const { outcomes, rest } = await runProgram(place, act);
      t.is(outcomes.length, 1, name);
      t.regex(
        outcomes[0],
        /^UserError: (the kernel is in a crank, an input or a commit|cranks cannot run inside a promise job)/,
        name,
      );
      t.deepEqual(rest, expected.rest, name);
    }
  });

  test.serial(`${place}: postponed input is carried out later`, async t => {
    for (const [name, act] of Object.entries(waiting)) {
      const { outcomes, rest } = await runProgram(place, act);
      t.deepEqual(outcomes, ['done'], name);
      t.deepEqual(rest.problems, [], name);
      t.is(rest.answer, 3, name);
    }
  });
}

test.serial(
  'cranks do not run inside a promise job, where vats could not come to rest',
  async t => {
    const store = { ...makeMemoryStore(), close: async () => {} };
    const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
      store,
      deviceEndowments: { own: { told: () => {}, poked: () => {} } },
    });
    await simulation.run();
    simulation.queueToVatRoot('bootstrap', 'round');
    /** @type {unknown[]} */
    const seen = [];
    const onBlock = () =>
      void seen.push(t.throws(() => simulation.pump(3), { name: 'UserError' })?.message);
    await simulation.run({ blockSize: 1, onBlock });
    t.true(seen.length > 3);
    t.regex(String(seen[0]), /^cranks cannot run inside a promise job/);
    t.deepEqual(audit(simulation.kernel.state), []);
    await simulation.close();
    const resumed = await makeSimulation(undefined, { store, resume: true });
    t.is(await resumed.call('bob', 'hi', [3]), 3);
    await resumed.close();
  },
);

test.serial('nothing is committed after a failed commit', async t => {
  const memory = makeMemoryStore();
  let isFull = false;
  const store = {
    ...memory,
    close: async () => {},
    commit: (/** @type {Parameters<typeof memory.commit>[0]} */ batch) => {
      if (isFull) throw Error('the disk is full');
      return memory.commit(batch);
    },
  };
  const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
    store,
    deviceEndowments: { own: { told: () => {}, poked: () => {} } },
  });
  await simulation.run();
  const before = storeDigest(memory);
  isFull = true;
  simulation.queueToVatRoot('bob', 'hi', [1]);
  await t.throwsAsync(simulation.run(), { message: 'the disk is full' });
  isFull = false;
  const stopped = { name: 'UserError', message: /^the run was stopped by a commit that failed; / };
  await t.throwsAsync(simulation.commit(), stopped);
  t.throws(() => simulation.queueToVatRoot('bob', 'hi', [1]), stopped);
  t.is(storeDigest(memory), before, 'no block is there in part');
  await simulation.close();
});
