// Hosts that are lost while vats move, more than one at once, and vats that end meanwhile: the run goes on, with the same hash.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { loadConfig } from '#host/session.js';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { ByteReader } from '#model';
import { readToHost } from '../host-messages.js';
import { readPacket } from '../link.js';
import { askMove, askStatus } from '../status.js';
import { makeMemoryCluster } from './memory-cluster.js';
import {
  changeMessages,
  confuse,
  hashOfPlainRun,
  run,
  startHost,
  startLeader,
} from './run-cluster.js';
import { awaitBlocks, makeBrake, makeGate, pause } from './trials.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { Cluster } from '../interface.js' */
/** @import { ToHost } from '../host-messages.js' */

/** Nobody is lost by being slow. */
const leaseMs = 20_000;

/** Messages take some time, so that the run is not over before anybody has moved. */
const slow = { delay: 1, longestDelayMs: 4 };

/**
 * Hosts whose messages can be kept back, and a leader.
 *
 * @param {object} how
 * @param {number} how.hosts
 * @param {number} [how.twins]
 * @param {Partial<import('../lead.js').LeadOptions>} how.others
 * @param {(cluster: Cluster) => Cluster} [how.change]  the cluster of a host
 * @param {(name: string, message: ToHost) => void} [how.onSent]  called for each message to a host
 */
const begin = ({ hosts, twins = 1, others, change = cluster => cluster, onSent = () => {} }) => {
  const memory = makeMemoryCluster();
  let isOver = false;
  /** @type {Map<string, ReturnType<typeof makeGate>>} */
  const gates = new Map();
  /** @type {Promise<unknown>[]} */
  const hosting = [];
  const addHost = (/** @type {string} */ name) => {
    const gate = makeGate(change(memory.connect(name, slow)));
    gates.set(name, gate);
    hosting.push(startHost(gate.cluster, name, { shouldStop: () => isOver }));
    return gate;
  };
  for (let i = 1; i <= hosts; i += 1) addHost(`h${i}`);
  /** @type {Set<string>} hosts that vats with a transcript were sent to */
  const restoring = new Set();
  const shown = showMessages(memory.connect('leader', slow), (name, message) => {
    if (message.kind === 'restore' && message.transcript.length > 0) restoring.add(name);
    onSent(name, message);
  });
  const brake = makeBrake(shown);
  /** @type {string[]} */
  const told = [];
  const tell = (/** @type {string} */ line) => void told.push(line);
  const leading = startLeader(brake.cluster, {
    ...{ hosts, twins, tell },
    others: { leaseMs, ...others },
  });
  const operator = memory.connect('operator');
  /** Resolves when a line was told. @param {RegExp} line */
  const heard = async line => {
    while (!told.some(each => line.test(each))) await pause(1);
  };
  return {
    ...{ memory, brake, told, leading, operator, gates, restoring, heard, addHost },
    /** A host without vats, to which one is about to move; its messages are kept back. @param {string} vat */
    async moveToNewHost(vat) {
      const gate = addHost('late');
      await heard(/^host late has joined/);
      gate.close();
      const moving = askMove(operator, run, vat, 'late');
      while (!restoring.has('late')) await pause(1);
      return { gate, moving };
    },
    end() {
      isOver = true;
      return Promise.all(hosting);
    },
  };
};

/** A cluster that shows a leader's messages to hosts. @param {Cluster} cluster @param {(name: string, message: ToHost) => void} onMessage @returns {Cluster} */
const showMessages = (cluster, onMessage) => ({
  ...cluster,
  publish(subject, bytes) {
    cluster.publish(subject, bytes);
    if (bytes[0] === 0x7b) return;
    const { piece, hasMore } = readPacket(bytes);
    if (hasMore) return;
    const name = subject.slice(subject.lastIndexOf('.') + 1);
    for (const reader = new ByteReader(piece); !reader.done;)
      onMessage(name, readToHost(reader.raw(reader.varint())));
  },
});

/** @param {Cluster} operator @param {string} name @returns {Promise<string[]>} */
const hostsOf = async (operator, name) => {
  const { vats } = await askStatus(operator, run);
  return vats.find(vat => vat.name === name)?.hosts ?? [];
};

/** A program of several files. @param {ExecutionContext} t @param {Record<string, string>} files */
const configOfFiles = (t, files) => {
  const dir = temporaryDirectory(t, 'moves');
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
  return loadConfig({ baseDir: dir });
};

test.serial('twins that are both lost while their vat moves are made anew', async t => {
  const rounds = 60;
  const { memory, brake, leading, operator, heard, ...rest } = begin({
    ...{ hosts: 2, twins: 2, others: { rounds, blockSize: 5 } },
  });
  await awaitBlocks(memory, 3);
  // The run must not be over before the new host is there.
  brake.hold();
  const { gate, moving } = await rest.moveToNewHost('alice');
  for (const name of ['h1', 'h2']) confuse(memory, name);
  await heard(/^host h1 is gone/);
  await heard(/^host h2 is gone/);
  gate.open();
  brake.release();
  t.regex(await moving, /^vat alice has moved /);
  t.is((await hostsOf(operator, 'alice')).length, 2);
  t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
  await rest.end();
});

test.serial(
  'a move to a host whose thread ends just after it has made the vat is refused',
  async t => {
    const rounds = 500;
    let isEnding = false;
    const change = (/** @type {Cluster} */ cluster) =>
      changeMessages(cluster, message => {
        if (!isEnding || message.kind !== 'made') return;
        isEnding = false;
        const { vatId } = message;
        return [message, { kind: 'ended', reason: 'no memory', atWork: '', vatIds: [vatId] }];
      });
    const { memory, leading, ...rest } = begin({
      ...{ hosts: 1, others: { rounds, blockSize: 20 }, change },
    });
    await awaitBlocks(memory, 10);
    const { gate, moving } = await rest.moveToNewHost('alice');
    const refused = t.throwsAsync(moving, { message: 'host late is gone' });
    // More is added than a host gets while a vat stands still.
    await awaitBlocks(memory, 70);
    isEnding = true;
    gate.open();
    await refused;
    t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
    await rest.end();
  },
);

test.serial('hosts that are lost while vats are spread over hosts do not end the run', async t => {
  const bench = path.join(import.meta.dirname, '../../../bench/threads/conversations');
  const config = loadConfig({ baseDir: bench, argv: ['work=10'] });
  const rounds = 8;
  /** @type {string | undefined} */
  let target;
  const { memory, gates, leading, heard, end } = begin({
    ...{ hosts: 3, others: { config, rounds, blockSize: 20 } },
    onSent: (name, message) => {
      if (target !== undefined || message.kind !== 'restore' || message.transcript.length === 0)
        return;
      // The first of several moves: the hosts of the others are lost during it.
      target = name;
      gates.get(name)?.close();
      for (const other of gates.keys()) if (other !== name) confuse(memory, other);
    },
  });
  while (target === undefined) await pause(1);
  for (const name of gates.keys())
    if (name !== target) await heard(RegExp(`^host ${name} is gone`));
  gates.get(target)?.open();
  t.is((await leading).activity, await hashOfPlainRun(config, rounds));
  await end();
});

test.serial('a vat is made anew however often its hosts are lost meanwhile', async t => {
  const rounds = 60;
  const vats = new Map();
  const { memory, brake, leading, heard, end } = begin({
    ...{ hosts: 1, others: { rounds, blockSize: 5 } },
    // Each time before the host has made the vat.
    onSent(name, message) {
      if (message.kind !== 'restore' || message.transcript.length === 0) return;
      const losses = vats.get(message.vatId) ?? 0;
      vats.set(message.vatId, losses + 1);
      if (losses < 12) confuse(memory, name);
    },
  });
  await awaitBlocks(memory, 3);
  brake.hold();
  confuse(memory, 'h1');
  await heard(/^host h1 is gone/);
  // The run must not be over before.
  while (![...vats.values()].some(losses => losses > 12)) await pause(1);
  brake.release();
  t.is((await leading).activity, await hashOfPlainRun('pingpong', rounds));
  await end();
});

/** A vat is upgraded, or ends, in a round before which it was given nothing for some. @param {string} change */
const changed = change => ({
  'bootstrap.js': `
    import { E, Far } from '@endo/far';
    export const buildRootObject = () => {
      let round = 0;
      let other;
      let node;
      let cap;
      return Far('root', {
        async bootstrap({ vatAdmin }, devices) {
          const admin = await E(vatAdmin).createVatAdminService(devices.vatAdmin);
          cap = await E(admin).getNamedBundleCap('other');
          ({ root: other, adminNode: node } = await E(admin).createVat(cap));
        },
        async runBenchmarkRound() {
          round += 1;
          if (round === 150) await ${change};
          return round < 10 || round >= 150 ? E(other).add(round).catch(error => error.message) : round;
        },
      });
    };
  `,
  'other.js': `
    import { Far } from '@endo/far';
    export const buildRootObject = (_powers, { fails = false } = {}, baggage) => {
      if (fails) throw Error('it fails');
      if (!baggage.has('sum')) baggage.init('sum', 0);
      return Far('other', {
        add: amount => {
          baggage.set('sum', baggage.get('sum') + amount);
          return baggage.get('sum');
        },
      });
    };
  `,
  'swingset.json': JSON.stringify({
    bootstrap: 'bootstrap',
    bundles: { other: { sourceSpec: 'other.js' } },
    vats: { bootstrap: { sourceSpec: 'bootstrap.js' } },
  }),
});

const rounds = 170;

/** @param {ExecutionContext} t @param {string} change */
const beginChanged = (t, change) => {
  const config = configOfFiles(t, changed(change));
  let done = 0;
  const onBlock = (/** @type {unknown} */ _taken, /** @type {{ done: number }} */ progress) => {
    ({ done } = progress);
  };
  const others = { config, rounds, blockSize: 3, onBlock };
  return {
    ...begin({ hosts: 2, others }),
    config,
    awaitRound: async (/** @type {number} */ round) => {
      while (done < round) await pause(1);
    },
  };
};

for (const [what, change] of [
  ['upgraded', 'E(node).upgrade(cap)'],
  ['terminated', `E(node).terminateWithFailure('over')`],
])
  test.serial(`a vat that is ${what} while it moves ends its move`, async t => {
    const { config, leading, awaitRound, told, ...rest } = beginChanged(t, change);
    await awaitRound(10);
    const { gate, moving } = await rest.moveToNewHost('vat');
    const refused = t.throwsAsync(moving, { message: 'vat vat has ended' });
    await awaitRound(151);
    rest.brake.hold();
    gate.open();
    await refused;
    rest.brake.release();
    t.is((await leading).activity, await hashOfPlainRun(config, rounds));
    t.false(
      told.some(line => / is gone: /.test(line)),
      told.join('\n'),
    );
    await rest.end();
  });

test.serial('a vat that is terminated while it is made anew costs no host its session', async t => {
  const change = `E(node).terminateWithFailure('over')`;
  const { config, memory, leading, awaitRound, told, ...rest } = beginChanged(t, change);
  await awaitRound(10);
  rest.brake.hold();
  await pause(50);
  const [from] = await hostsOf(rest.operator, 'vat');
  t.not(from, undefined);
  t.notDeepEqual(await hostsOf(rest.operator, 'bootstrap'), [from]);
  const gate = rest.addHost('late');
  await rest.heard(/^host late has joined/);
  gate.close();
  confuse(memory, from);
  while (!rest.restoring.has('late')) await pause(1);
  rest.brake.release();
  await awaitRound(151);
  gate.open();
  t.is((await leading).activity, await hashOfPlainRun(config, rounds));
  t.deepEqual(
    told.filter(line => / is gone: /.test(line)).map(line => line.split(' ')[1]),
    [from],
  );
  await rest.end();
});

test.serial('a vat whose host is lost while its upgrade fails goes on', async t => {
  const change = `E(node).upgrade(cap, { vatParameters: { fails: true } }).catch(() => {})`;
  const { config, memory, leading, awaitRound, ...rest } = beginChanged(t, change);
  const hash = await hashOfPlainRun(config, rounds);
  await awaitRound(10);
  const { BundleShelf } = await import('#host/vats/bundle-shelf.js');
  const { prepare } = BundleShelf.prototype;
  t.teardown(() => void Object.assign(BundleShelf.prototype, { prepare }));
  let lost = 0;
  // Another host has the old incarnation's transcript before the new one is made.
  BundleShelf.prototype.prepare = async function (id) {
    rest.restoring.clear();
    for (const from of await hostsOf(rest.operator, 'vat')) confuse(memory, from);
    while (rest.restoring.size === 0) await pause(1);
    lost += 1;
    return prepare.call(this, id);
  };
  await awaitRound(151);
  BundleShelf.prototype.prepare = prepare;
  t.is((await leading).activity, hash);
  t.is(lost, 1);
  await rest.end();
});
