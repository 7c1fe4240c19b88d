// Objects that two comms vats share and give up: random conversations (test/comms-conversations.test.js holds such to what
// SwingSet's comms did), and a run of two sides in one kernel, in which vats let go of what they were given.

import '#testkit/lockdown.js';
import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation } from '#host';
import { audit } from '#kernel';
import { makeRandom } from '#testkit';
import { directoryOfProcess } from '#testkit/temporary-directory.js';
import { makeLoneComms } from './comms-machines.js';
import { converseBySeed } from './conversation.js';

/** @param {number} seed @param {number} steps */
const converseHere = (seed, steps) =>
  converseBySeed(() => makeLoneComms().deliver, makeRandom, seed, steps);

test('in longer conversations nothing is refused, and nothing is given up that is still in use', t => {
  let collected = 0;
  for (let seed = 1_000; seed < 1_040; seed += 1) {
    const log = converseHere(seed, 400);
    t.false(
      log.some(line => line.includes('refused')),
      `seed ${seed}`,
    );
    collected += log.filter(line => line.includes('Imports"')).length;
  }
  t.true(collected > 1_000, `${collected}`);
});

const bootstrap = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = ({ D }) => {
    const connect = async (loopbox, own, peer, comms, vattp) => {
      D(loopbox).registerInboundHandler(own, vattp);
      await E(vattp).registerMailboxDevice(D(loopbox).getSender(own));
      const { transmitter, setReceiver } = await E(vattp).addRemote(peer);
      await E(comms).addRemote(peer, transmitter, setReceiver);
    };
    let maker;
    let held = [];
    let late = [];
    const known = new WeakSet();
    return Far('bootstrap', {
      async bootstrap(vats, { loopbox }) {
        await connect(loopbox, 'left', 'right', vats.leftcomms, vats.leftvattp);
        await connect(loopbox, 'right', 'left', vats.rightcomms, vats.rightvattp);
        await E(vats.rightcomms).addEgress('left', 0, vats.maker);
        maker = await E(vats.leftcomms).addIngress('right', 0);
      },
      async take(times) { for (let i = 0; i < times; i += 1) held.push(await E(maker).make()); },
      async give(times) { for (let i = 0; i < times; i += 1) await E(maker).take(Far('gift', {})); },
      async promise(times) {
        for (let i = 0; i < times; i += 1) late.push((await E(maker).later()).promise);
      },
      async settle() { await E(maker).settle(); await Promise.all(late); },
      async know() { for (const each of held) known.add(each); },
      letGo() { held = []; late = []; },
      forgetGifts: () => E(maker).forget(),
      async idle(times) { for (let i = 0; i < times; i += 1) await E(maker).nothing(); },
    });
  };
`;

const maker = `
  import { Far } from '@endo/far';
  export const buildRootObject = () => {
    let gifts = [];
    let resolvers = [];
    return Far('maker', {
      make: () => Far('thing', {}),
      take: gift => void gifts.push(gift),
      later() {
        let resolve;
        const promise = new Promise(r => { resolve = r; });
        resolvers.push(resolve);
        return harden({ promise });
      },
      settle: () => resolvers.splice(0).forEach(resolve => resolve(harden([Far('late', {})]))),
      forget() { gifts = []; },
      nothing() {},
    });
  };
`;

const sources = '@agoric/swingset-vat/src/vats';
const folder = directoryOfProcess('comms-collection');
fs.writeFileSync(join(folder, 'bootstrap.js'), bootstrap);
fs.writeFileSync(join(folder, 'vat-maker.js'), maker);
fs.writeFileSync(
  join(folder, 'swingset.json'),
  JSON.stringify({
    bootstrap: 'bootstrap',
    loopboxSenders: ['left', 'right'],
    vats: {
      bootstrap: { sourceSpec: 'bootstrap.js' },
      maker: { sourceSpec: 'vat-maker.js' },
      leftcomms: { sourceSpec: `${sources}/comms/index.js` },
      leftvattp: { sourceSpec: `${sources}/vattp/vat-vattp.js` },
      rightcomms: { sourceSpec: `${sources}/comms/index.js` },
      rightvattp: { sourceSpec: `${sources}/vattp/vat-vattp.js` },
    },
  }),
);

/** @param {import('#store').Store} store @param {boolean} resume */
const start = async (store, resume = false) => {
  const config = { ...loadConfig({ baseDir: folder }), defaultReapInterval: 50 };
  const simulation = await makeSimulation(resume ? undefined : config, { store, resume });
  await simulation.run();
  /** @param {string} method @param {unknown[]} args */
  const ask = async (method, ...args) => {
    const result = simulation.queueToVatRoot('bootstrap', method, args);
    await simulation.run();
    const { state, data } = simulation.status(result);
    simulation.release(result);
    await simulation.commit();
    if (state === 'rejected') throw Error(`${method}: ${state} ${data?.body}`);
  };
  const count = async () => {
    await ask('idle', 120);
    const { kernelObjects, clistEntries } = simulation.counters.toRecord();
    return [kernelObjects.value, clistEntries.value];
  };
  return { simulation, ask, count };
};

test.serial('what vats let go of leaves both sides, also in a resumed run', async t => {
  const store = makeMemoryStore();
  const first = await start(store);
  const before = await first.count();
  await first.ask('take', 20);
  await first.ask('give', 20);
  await first.ask('promise', 20);
  await first.ask('settle');
  const between = await first.count();
  t.true(between[0] >= before[0] + 120, `${before} ${between}`);
  await first.ask('know');
  // Its store goes on, as that of a process that was killed.
  const { simulation, ask, count } = await start(store, true);
  await ask('letGo');
  await ask('forgetGifts');
  t.deepEqual(await count(), before);
  t.deepEqual(audit(simulation.kernel.state), []);
  const ended = simulation.kernel.vats().filter(({ state }) => state !== 'running');
  t.deepEqual(ended, []);
  await simulation.close();
});
