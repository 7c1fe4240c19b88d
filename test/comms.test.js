// Two machines in one process: two simulations, each with a mailbox device, and a carrier between them that moves
// strings and nothing else. And the loopbox demo, stopped and resumed wherever it can be.

import os from 'node:os';
import path from 'node:path';
import test from 'ava';

import { buildMailbox, handOutTo, loadConfig, makeSimulation } from '#host';
import { audit } from '#kernel';
import { makeMemoryStore, openLmdbStore } from '#store';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { demoDirectory } from './compare/load.js';
import { runProgram } from './compare/run.js';

/** @import { Store } from '#store' */

const fixtures = path.join(import.meta.dirname, 'fixtures/machines');
const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');

/** @typedef {'current' | '2020-09'} ProfileName */
/** @typedef {'left' | 'right'} Name */

/**
 * @param {Name} name
 * @param {{ profile: ProfileName, openStore?: (isNew: boolean) => Store, blockSize?: number }} options
 */
const makeMachine = async (
  name,
  { profile, openStore = () => makeMemoryStore(), blockSize = 200 },
) => {
  /** @type {string[]} */
  const printed = [];
  /** @type {string[]} */
  const errors = [];
  const open = async (/** @type {boolean} */ isNew) => {
    const mailbox = buildMailbox();
    const simulation = await makeSimulation(
      isNew ? loadConfig({ baseDir: path.join(fixtures, name) }) : undefined,
      {
        store: openStore(isNew),
        ...(isNew ? { profile } : { resume: true }),
        cacheDir,
        onHandOut: handOutTo({ mailbox }),
        observer: {
          onConsole: (_vat, _level, text) => printed.push(text),
          onVatError: (vat, error) => errors.push(`${vat}: ${error.message}`),
        },
      },
    );
    mailbox.join(simulation);
    return { mailbox, simulation };
  };
  let now = await open(true);
  return {
    printed,
    errors,
    get mailbox() {
      return now.mailbox;
    },
    get simulation() {
      return now.simulation;
    },
    async run() {
      await now.simulation.run({ blockSize });
    },
    /** Stop, and go on from the store; the host has forgotten everything. */
    async reopen() {
      await now.simulation.close();
      now = await open(false);
      now.mailbox.refresh();
      await now.simulation.commit();
    },
    close: () => now.simulation.close(),
  };
};

/** @typedef {Awaited<ReturnType<typeof makeMachine>>} Machine */

/**
 * Carry what the mailboxes hold until nothing is new.
 *
 * @param {Record<Name, Machine>} machines
 * @param {object} [way]
 * @param {(messages: [number, string][]) => [number, string][][]} [way.portions]  in which an outbox arrives
 * @param {() => Promise<void>} [way.between]
 */
const exchange = async (machines, { portions = all => [all], between = async () => {} } = {}) => {
  for (let last = ''; ;) {
    for (const [from, to] of /** @type {[Name, Name][]} */ ([
      ['left', 'right'],
      ['right', 'left'],
    ])) {
      const { outbox, inboundAck } = machines[from].mailbox.peerState(to);
      for (const portion of portions(outbox)) {
        machines[to].mailbox.deliverInbound(from, portion, inboundAck);
        await machines[to].run();
      }
      await between();
    }
    const now = JSON.stringify([
      machines.left.mailbox.exportToData(),
      machines.right.mailbox.exportToData(),
    ]);
    if (now === last) return;
    last = now;
  }
};

const expected = {
  answer: '3',
  'my object is used': '[1,2]',
  'my object comes home': 'true',
  'messages to a result': '[101,102]',
  'a result of a result': '101',
  'a promise': '"it became object"',
  'a rejected promise': '"it failed: never"',
  'promises that name each other': '"first"',
  'a message to a promise of mine': '1',
  'my result as an argument': '3',
  data: 'true',
};

/**
 * @param {import('ava').ExecutionContext} t
 * @param {Record<Name, Machine>} machines
 */
const checkTalk = (t, { left, right }) => {
  for (const [what, value] of Object.entries(expected))
    t.true(left.printed.includes(`${what}: ${value}`), `${what} in ${left.printed.join('\n')}`);
  t.true(left.printed.includes('rejection failed: left asked for it'));
  t.is(left.printed.length, 12);
  t.deepEqual(right.printed, []);
  for (const { mailbox, simulation } of [left, right]) {
    t.deepEqual(audit(simulation.kernel.state), []);
    for (const { outbox } of Object.values(mailbox.exportToData())) t.deepEqual(outbox, []);
  }
};

/**
 * @param {{ profile: ProfileName, blockSize?: number, stores?: Record<Name, (isNew: boolean) => Store> }} options
 */
const makeMachines = async ({ stores, ...options }) => ({
  left: await makeMachine('left', { ...options, ...(stores && { openStore: stores.left }) }),
  right: await makeMachine('right', { ...options, ...(stores && { openStore: stores.right }) }),
});

/**
 * @param {Record<Name, Machine>} machines
 * @param {Parameters<typeof exchange>[1]} [way]
 */
const talk = async (machines, way) => {
  await machines.left.run();
  await machines.right.run();
  machines.left.simulation.queueToVatRoot('talker', 'talk');
  await machines.left.run();
  await exchange(machines, way);
};

/** @param {Record<Name, Machine>} machines */
const hashes = ({ left, right }) =>
  [left, right].map(({ simulation }) => simulation.activityHash());

for (const profile of /** @type {ProfileName[]} */ (['current', '2020-09'])) {
  test(`${profile}: machines exchange objects, promises, messages to results, and rejections`, async t => {
    const machines = await makeMachines({ profile });
    await talk(machines);
    checkTalk(t, machines);
    // Errors that left their vats, each told where it was made.
    t.deepEqual(machines.left.errors, ['talker: never']);
    t.deepEqual(machines.right.errors, ['talker: left asked for it']);
    for (const machine of Object.values(machines)) await machine.close();
  });

  test(`${profile}: strings that arrive twice or in pieces are delivered once and in order`, async t => {
    const machines = await makeMachines({ profile });
    await talk(machines, {
      portions: all => [...all.map(message => [message, message]), [...all].reverse(), all],
    });
    checkTalk(t, machines);
    for (const machine of Object.values(machines)) await machine.close();
  });

  test(`${profile}: stopping and resuming machines after every exchange does not change the run`, async t => {
    const dir = temporaryDirectory(t);
    const openAt = (/** @type {string} */ name) => (/** @type {boolean} */ isNew) =>
      openLmdbStore({ dir: path.join(dir, name), durability: 'none', create: isNew });
    const straight = await makeMachines({ profile });
    await talk(straight);
    const machines = await makeMachines({
      profile,
      blockSize: 3,
      stores: { left: openAt('left'), right: openAt('right') },
    });
    await talk(machines, {
      between: async () => {
        await machines.left.reopen();
        await machines.right.reopen();
      },
    });
    checkTalk(t, machines);
    t.deepEqual(machines.left.printed, straight.left.printed);
    t.deepEqual(hashes(machines), hashes(straight));
    for (const machine of [...Object.values(machines), ...Object.values(straight)])
      await machine.close();
  });

  test(`${profile}: the loopbox demo, resumed after every crank, from disk`, async t => {
    const program = { directory: demoDirectory('encouragementBotComms'), profile };
    const straight = await runProgram(program);
    const dir = temporaryDirectory(t);
    const resumed = await runProgram(program, {
      blockSize: 1,
      reopen: true,
      openStore: isNew => openLmdbStore({ dir, durability: 'none', create: isNew }),
    });
    t.deepEqual(resumed, straight);
    t.true(straight.log.some(line => line.includes('bot says "well done so far, user"')));
  });
}

test('a forged string is refused and reported to the host, and changes nothing', async t => {
  const machines = await makeMachines({ profile: 'current' });
  await machines.left.run();
  await machines.right.run();
  machines.right.mailbox.deliverInbound('left', [[1, '1:0:deliver:ro+7:;#["steal",[]]']], 0);
  await machines.right.run();
  t.deepEqual(machines.right.errors, [
    'vattp: comms refused a string from "left": "ro+7" was never given to it',
  ]);
  t.deepEqual(
    machines.right.simulation.kernel.vats().filter(({ state }) => state !== 'running'),
    [],
  );
  machines.right.mailbox.deliverInbound('left', [], 5);
  await machines.right.run();
  t.is(machines.right.errors.at(-1), 'vattp: "left" acknowledges 5 strings; 0 were sent to it');
  for (const machine of Object.values(machines)) await machine.close();
});

test('messages that the host gives a mailbox are checked', async t => {
  const { left, right } = await makeMachines({ profile: 'current' });
  const deliver = /** @type {any} */ (left.mailbox).deliverInbound;
  t.throws(() => deliver(5, [], 0), {
    message: 'deliverInbound: the peer must be a string, got number',
  });
  t.throws(() => deliver('right', 'x', 0), {
    message: 'deliverInbound: the messages must be a list of [number, string], got string',
  });
  t.throws(() => deliver('right', [[0, 'x']], 0), {
    message:
      'deliverInbound: message 0 must be [number, string] with a number from 1, got [0, string]',
  });
  t.throws(() => deliver('right', [], -1), {
    message: 'deliverInbound: the acknowledgement must be a whole number from 0, got -1',
  });
  t.throws(() => buildMailbox().deliverInbound('right', [], 0), {
    message:
      'the host of device "mailbox" is not joined to a simulation; call join(simulation) first',
  });
  // Before bootstrap has registered the vattp vat.
  t.throws(() => deliver('right', [[1, 'x']], 0), {
    message: 'mailbox: no vat has called registerInboundHandler yet',
  });
  for (const machine of [left, right]) await machine.close();
});
