// The devices that join a run to its host program: command, bridge, and the loopbox with messages that wait.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';

import {
  buildBridge,
  buildCommand,
  buildLoopbox,
  handOutTo,
  loadConfig,
  makeMemoryStore,
  makeSimulation,
  runRounds,
} from '#host';
import { temporaryDirectory } from '#testkit/temporary-directory.js';

/** @import { Store } from '#store' */

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/** @typedef {'current' | '2020-09'} ProfileName */
/** @type {ProfileName[]} */
const profiles = ['current', '2020-09'];

/**
 * The text that a vat gets for a device's error: in `current` no more than that there was one, as in SwingSet.
 *
 * @param {string} profile
 * @param {string} reason
 */
const toldOf = (profile, reason) =>
  profile === 'current'
    ? 'syscall.callNow failed: device.invoke failed, see logs for details'
    : reason;

/**
 * A folder with a bootstrap vat.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {string} methods  of its root, which may use `D` and `E`
 * @param {Record<string, object>} devices
 */
const makeFolder = (t, methods, devices) => {
  const dir = temporaryDirectory(t, 'devices-test');
  fs.writeFileSync(
    path.join(dir, 'bootstrap.js'),
    `import { E, Far } from '@endo/far';
export const buildRootObject = ({ D, exitVatWithFailure }) => {
  let devices;
  let vats;
  const say = (what, act) => {
    try {
      console.log(what, act());
    } catch (error) {
      console.log(what, 'threw', error.message);
    }
  };
  const root = Far('root', { ${methods} });
  return root;
};
`,
  );
  fs.writeFileSync(
    path.join(dir, 'swingset.json'),
    JSON.stringify({
      bootstrap: 'bootstrap',
      vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
      devices,
    }),
  );
  return dir;
};

/**
 * @param {string} baseDir
 * @param {object} options
 * @param {ProfileName} [options.profile]
 * @param {Store} [options.store]
 * @param {boolean} [options.resume]
 * @param {Record<string, { handOut: (data: string) => void, join: (simulation: any) => void }>} options.hosts
 */
const open = async (baseDir, { profile, store = makeMemoryStore(), resume = false, hosts }) => {
  /** @type {string[]} */
  const printed = [];
  const simulation = await makeSimulation(resume ? undefined : loadConfig({ baseDir }), {
    store,
    resume,
    ...(profile !== undefined && { profile }),
    cacheDir,
    onHandOut: handOutTo(hosts),
    observer: {
      onConsole: (_vat, _level, text) => printed.push(text),
      onVatError: (vat, error) => printed.push(`error of ${vat}: ${error.message}`),
    },
  });
  for (const host of Object.values(hosts)) host.join(simulation);
  return { simulation, printed, store };
};

for (const profile of profiles) {
  test(`${profile}: a command is answered by its number, and a broadcast reaches the host`, async t => {
    const dir = makeFolder(
      t,
      `bootstrap(_vats, { command }) { devices = { command }; D(command).registerInboundHandler(root); },
       inbound(count, body) {
         console.log('inbound', count, body.ask);
         if (body.ask === 'later') return;
         D(devices.command).sendResponse(count, body.ask === 'no', { told: body.ask });
         D(devices.command).sendBroadcast(['told', count]);
         say('again', () => D(devices.command).sendResponse(count, false, 1));
         say('bad', () => D(devices.command).sendResponse('x', false, 1));
       },
       answerLater(count) { D(devices.command).sendResponse(count, false, undefined); },`,
      { command: {} },
    );
    /** @type {unknown[]} */
    const broadcasts = [];
    const command = buildCommand(body => broadcasts.push(body));
    const { simulation, printed } = await open(dir, { profile, hosts: { command } });
    await simulation.run();
    const later = command.inboundCommand({ ask: 'later' });
    const yes = command.inboundCommand({ ask: 'yes' });
    const no = command.inboundCommand({ ask: 'no' });
    await simulation.runCranks();
    t.deepEqual(broadcasts, [], 'nothing is handed out before the block is committed');
    await simulation.commit();
    t.deepEqual(await yes, { told: 'yes' });
    await t.throwsAsync(
      no.catch(reason => Promise.reject(Error(reason.told))),
      { message: 'no' },
    );
    t.deepEqual(broadcasts, [
      ['told', 1],
      ['told', 2],
    ]);
    simulation.queueToVatRoot('bootstrap', 'answerLater', [0]);
    await simulation.run();
    t.is(await later, undefined);
    t.true(
      printed.includes(
        `again threw ${toldOf(profile, 'command.sendResponse: there is no command 1 that waits for an answer')}`,
      ),
    );
    t.true(
      printed.includes(
        `bad threw ${toldOf(profile, 'command.sendResponse: the count must be a whole number from 0, got string')}`,
      ),
    );
    await simulation.close();
  });

  test(`${profile}: a bridge carries calls in both directions, across a stop`, async t => {
    const dir = makeFolder(
      t,
      `bootstrap(_vats, { bridge }) {
         devices = { bridge };
         D(bridge).registerInboundHandler(root);
         say('outbound', () => D(bridge).callOutbound('hello', { n: 1 }));
         say('twice', () => D(bridge).registerInboundHandler(root));
       },
       inbound(...args) { D(devices.bridge).callOutbound('echo', ...args); },
       stop() { D(devices.bridge).unregisterInboundHandler(); },`,
      { bridge: {} },
    );
    /** @type {unknown[][]} */
    const calls = [];
    const bridge = buildBridge((...args) => calls.push(args));
    const first = await open(dir, { profile, hosts: { bridge } });
    t.throws(() => bridge.deliverInbound(1), {
      message: 'bridge: no vat has called registerInboundHandler yet',
    });
    await first.simulation.run();
    t.deepEqual(
      first.printed.filter(line => !line.startsWith('error')),
      [
        'outbound undefined',
        `twice threw ${toldOf(profile, 'bridge: an inbound handler is registered already')}`,
      ],
    );
    bridge.deliverInbound('a', [1, null]);
    // The device has after a stop what it was told, once that is committed.
    await first.simulation.commit();
    const again = await open(dir, { store: first.store, resume: true, hosts: { bridge } });
    await again.simulation.run();
    t.deepEqual(calls, [
      ['hello', { n: 1 }],
      ['echo', 'a', [1, null]],
    ]);
    again.simulation.queueToVatRoot('bootstrap', 'stop');
    await again.simulation.run();
    t.throws(() => bridge.deliverInbound(2));
    await again.simulation.close();
  });

  test(`${profile}: a device's input in a dropped crank is undone`, async t => {
    const dir = makeFolder(
      t,
      `bootstrap(vats, { bridge }) { devices = { bridge }; },
       fail() {
         D(devices.bridge).registerInboundHandler(root);
         D(devices.bridge).callOutbound('never');
         exitVatWithFailure(Error('enough'));
       },`,
      { bridge: {} },
    );
    /** @type {unknown[][]} */
    const calls = [];
    const bridge = buildBridge((...args) => calls.push(args));
    const { simulation } = await open(dir, { profile, hosts: { bridge } });
    await simulation.run();
    simulation.queueToVatRoot('bootstrap', 'fail');
    await simulation.run();
    // In 2020 such a crank is kept.
    if (profile === 'current') {
      t.deepEqual(calls, []);
      t.throws(() => bridge.deliverInbound(1), { message: /no vat has called/ });
    } else {
      t.deepEqual(calls, [['never']]);
    }
    await simulation.close();
  });

  test(`${profile}: messages of a queued loopbox wait for the host, across a stop`, async t => {
    const dir = makeFolder(
      t,
      `bootstrap(_vats, { loopbox }) {
         devices = { loopbox };
         D(loopbox).registerInboundHandler('right', root);
         say('twice', () => D(loopbox).registerInboundHandler('right', root));
         say('unknown', () => D(loopbox).getSender('middle'));
         const left = D(loopbox).getSender('left');
         say('same', () => left === D(loopbox).getSender('left'));
         devices.left = left;
         D(left).add('right', 1, 'one');
         D(left).add('right', 2, 'two');
         say('nobody', () => D(left).add('nowhere', 1, 'x'));
         D(left).remove('right', 1);
         D(left).ackInbound('right', 1);
       },
       more() {
         D(D(devices.loopbox).makeSender('extra')).add('right', 1, 'three');
         D(devices.left).add('right', 3, 'four');
       },
       deliverInboundMessages(sender, [[number, body]]) { console.log(sender, number, body); },`,
      { loopbox: { parameters: { senders: ['left'], deliverMode: 'queued' } } },
    );
    const loopbox = buildLoopbox();
    const first = await open(dir, { profile, hosts: { loopbox } });
    await first.simulation.run();
    t.deepEqual(
      first.printed.filter(line => !line.startsWith('error')),
      [
        `twice threw ${toldOf(profile, 'loopbox: "right" is registered already')}`,
        `unknown threw ${toldOf(profile, 'loopbox: there is no sender "middle"; name it in "loopboxSenders" of the config, or call makeSender')}`,
        'same true',
        `nobody threw ${toldOf(profile, 'loopbox.add: nobody is registered as "nowhere"')}`,
      ],
    );
    loopbox.passOneMessage();
    await first.simulation.run();
    t.is(first.printed.at(-1), 'left 1 one');
    const again = await open(dir, { store: first.store, resume: true, hosts: { loopbox } });
    again.simulation.queueToVatRoot('bootstrap', 'more');
    await again.simulation.run();
    t.deepEqual(again.printed, []);
    for (let i = 0; i < 5; i += 1) {
      loopbox.passOneMessage();
      await again.simulation.run();
    }
    t.deepEqual(again.printed, ['left 2 two', 'extra 1 three', 'left 3 four']);
    await again.simulation.close();
  });
}

test('in a run of rounds, devices hand out data after each block', async t => {
  const dir = makeFolder(
    t,
    `bootstrap(_vats, { bridge }) { devices = { bridge }; D(bridge).callOutbound('setup'); },
     runBenchmarkRound() { D(devices.bridge).callOutbound('round'); },`,
    { bridge: {} },
  );
  /** @type {unknown[]} */
  const calls = [];
  const bridge = buildBridge(what => calls.push(what));
  const { simulation } = await open(dir, { hosts: { bridge } });
  /** @type {number[]} */
  const counts = [];
  await runRounds(simulation, { rounds: 2, onBlock: () => counts.push(calls.length) });
  t.deepEqual(calls, ['setup', 'round', 'round']);
  t.deepEqual(counts, [1, 2, 3]);
  await simulation.close();
});

test('a loopbox refuses invalid parameters', async t => {
  const dir = makeFolder(t, 'bootstrap() {}', {
    loopbox: { parameters: { deliverMode: 'later' } },
  });
  await t.throwsAsync(open(dir, { hosts: {} }), {
    name: 'UserError',
    message:
      'device loopbox: the parameter "deliverMode" must be "immediate" or "queued", got "later"',
  });
});
