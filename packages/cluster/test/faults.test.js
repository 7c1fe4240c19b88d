// A run in which a party fails ends as one of a single process, or the damage is named. One of each kind, all within this
// process; more of them, with the seed that they begin with:
//
//   CLUSTER_FAULTS=1000 CLUSTER_FAULTS_SEED=1 npx ava packages/cluster/test/faults.test.js --timeout=10h

import process from 'node:process';
import test from 'ava';
import { makeMemoryStore } from '#store';
import { readLog } from '../index.js';
import { makeMemoryCluster } from './memory-cluster.js';
import { run, startHost, startLeader } from './run-cluster.js';
import {
  addNoise,
  awaitRecords,
  judge,
  keepMoving,
  makePrograms,
  makeRandom,
  mayLoseLease,
  pause,
  tryAll,
} from './trials.js';

/** @import { Cluster, RunLog } from '../interface.js' */
/** @import { Faults, MemoryCluster } from './memory-cluster.js' */
/** @import { Program } from './trials.js' */

const first = Number(process.env.CLUSTER_FAULTS_SEED ?? 1);

/** So many run at once: most of their time they wait for a lease. */
const atOnce = 10;

/** Every so many runs have a host whose network is sound, beside those whose fault is about hosts: they take some 300 ms to begin. */
const withHosts = 10;

/** By how much the clock on the wall is behind what it was. */
let setBackMs = 0;

// For good: lockdown() freezes it.
const { now } = Date;
Date.now = () => now() - setBackMs;

const leaseMs = 300;

/** All parties share this process, and one that makes its vats lets the others wait. */
const leaseWithHostsMs = 1_500;

/**
 * A run that is about to fail.
 *
 * @typedef {object} Trial
 * @property {Program} program
 * @property {MemoryCluster} memory
 * @property {ReturnType<typeof makeRandom>} random
 * @property {number} hosts
 * @property {1 | 2} twins
 * @property {boolean} moves  whether vats move from host to host meanwhile
 * @property {boolean} mayBeDamaged
 * @property {(name: string, faults?: Faults, others?: { version?: string, isNoisy?: boolean }) => Party} host  offers a
 *   place until the trial is over, or it is refused
 */

/** @typedef {Parameters<typeof startLeader>[1]['others']} Others */
/** @typedef {ReturnType<MemoryCluster['connect']>} Party */

/** @param {Trial} trial @param {Cluster} party @param {string} name @param {Others} [others] */
const leadAs = ({ hosts, twins, program: { config, rounds } }, party, name, others) =>
  startLeader(party, {
    ...{ name, hosts, twins: hosts > 0 ? twins : 1 },
    others: {
      ...{
        ...{ config, ...(rounds !== undefined && { rounds }) },
        leaseMs: hosts > 0 ? leaseWithHostsMs : leaseMs,
        patienceMs: 60_000,
        blockSize: 3,
        checkpoint: { blocks: 7, bytes: 1e9 },
      },
      ...others,
    },
  });

/** A leader stops after some blocks, something is done to what is left of it, and another one goes on. @param {Trial} trial @param {() => void} act @param {Others} [others] */
const interrupt = async (trial, act, others) => {
  const { memory, random } = trial;
  let blocks = 3 + random(20);
  const shouldStop = () => {
    blocks -= 1;
    return blocks < 0;
  };
  await leadAs(trial, memory.connect('first'), 'first', { ...others, shouldStop });
  act();
  return leadAs(trial, memory.connect('second'), 'second', others);
};

/** The fault, and the party that ends the run. @type {Record<string, (trial: Trial) => Promise<{ activity: string }>>} */
const faults = {
  'messages and acknowledgements are lost, doubled and late': trial => {
    const { random } = trial;
    const rates = { drop: random(5) / 100, double: random(20) / 100 };
    const others = { delay: random(50) / 100, cut: random(30) / 100, longestDelayMs: 3 };
    return leadAs(trial, trial.memory.connect('leader', { ...rates, ...others }), 'leader');
  },

  'a leader is cut off, another takes over, and it comes back': async trial => {
    const { memory, random } = trial;
    const first = memory.connect('first');
    const leading = mayLoseLease(leadAs(trial, first, 'first'));
    await awaitRecords(memory, 3 + random(15));
    first.cutOff();
    const outcome = await leadAs(trial, memory.connect('second'), 'second', { isStandby: true });
    first.mend();
    await leading;
    return outcome;
  },

  'a leader stands still for some time': async trial => {
    const { memory, random } = trial;
    const first = memory.connect('first');
    const leading = mayLoseLease(leadAs(trial, first, 'first'));
    await awaitRecords(memory, 3 + random(15));
    first.cutOff();
    const standby = leadAs(trial, memory.connect('second'), 'second', { isStandby: true });
    await pause(random(2 * leaseMs));
    first.mend();
    await leading;
    return standby;
  },

  'a leader is gone for good': async trial => {
    const { memory, random } = trial;
    const first = memory.connect('first');
    const leading = leadAs(trial, first, 'first', { patienceMs: 0 }).catch(() => {});
    await awaitRecords(memory, 3 + random(15));
    await first.close();
    const outcome = await leadAs(trial, memory.connect('second'), 'second', { isStandby: true });
    await leading;
    return outcome;
  },

  'two standbys take over at once': async trial => {
    const { memory, random } = trial;
    const first = memory.connect('first');
    const leading = leadAs(trial, first, 'first', { patienceMs: 0 }).catch(() => {});
    await awaitRecords(memory, 3 + random(15));
    await first.close();
    const [one, two] = await Promise.all(
      ['second', 'third'].map(name =>
        leadAs(trial, memory.connect(name), name, { isStandby: true }),
      ),
    );
    await leading;
    if (one.activity !== two.activity) throw Error('two leaders end a run differently');
    return one;
  },

  'clocks go at other rates, and stand still': async trial => {
    const { memory, random } = trial;
    const first = memory.connect('first', { clockRate: 0.2 + random(30) / 10 });
    const leading = mayLoseLease(leadAs(trial, first, 'first'));
    await awaitRecords(memory, 2 + random(10));
    first.holdClock(random(1_000));
    const second = memory.connect('second', { clockRate: 0.2 + random(60) / 10 });
    const outcome = await leadAs(trial, second, 'second', { isStandby: true });
    await leading;
    return outcome;
  },

  'messages between a leader and hosts are lost, doubled and late': trial => {
    const { memory, random, host } = trial;
    const makeFaults = () => ({
      ...{ drop: random(8) / 100, double: random(25) / 100 },
      ...{ delay: random(50) / 100, longestDelayMs: 1 + random(8) },
    });
    host('h8', makeFaults());
    host('h9', makeFaults());
    return leadAs(trial, memory.connect('leader', makeFaults()), 'leader');
  },

  'between the messages of a leader and hosts come old, cut and altered ones': trial => {
    const { memory, random, host } = trial;
    host('h8', {}, { isNoisy: true });
    host('h9', {}, { isNoisy: true });
    return leadAs(trial, addNoise(memory.connect('leader'), random), 'leader');
  },

  'a host comes under the name of another, one of another version, and one twice': async trial => {
    const { memory, random, host } = trial;
    host('h8');
    const leading = leadAs(trial, memory.connect('leader'), 'leader');
    await awaitRecords(memory, 3 + random(15));
    host('h8');
    host('h9', {}, { version: '1.0.1' });
    await pause(random(leaseWithHostsMs));
    host('h8', {}, { version: '1.0.1' });
    host('h9');
    host('h9');
    return leading;
  },

  'a host is cut off, its vats go to another, and it comes back': async trial => {
    const { memory, random, host } = trial;
    const party = host('h8');
    const leading = leadAs(trial, memory.connect('leader'), 'leader');
    await awaitRecords(memory, 3 + random(15));
    party.cutOff();
    host('h9');
    await pause(random(2 * leaseWithHostsMs));
    party.mend();
    return leading;
  },

  'a host is gone for good, and another comes': async trial => {
    const { memory, random, host } = trial;
    const party = host('h8');
    const leading = leadAs(trial, memory.connect('leader'), 'leader');
    await awaitRecords(memory, 3 + random(15));
    await party.close();
    await pause(random(500));
    host('h9');
    return leading;
  },

  'the leader of hosts is cut off, another takes over, and it comes back': async trial => {
    const { memory, random, host } = trial;
    host('h8');
    const first = memory.connect('first');
    const leading = mayLoseLease(leadAs(trial, first, 'first'));
    await awaitRecords(memory, 3 + random(15));
    const standby = leadAs(trial, memory.connect('second'), 'second', { isStandby: true });
    first.cutOff();
    await pause(random(2 * leaseWithHostsMs));
    first.mend();
    await leading;
    return standby;
  },

  'a host is lost twice, and the other one while vats are made anew': async trial => {
    const { memory, random, host } = trial;
    const [first, second] = [host('h8'), host('h9')];
    const leading = leadAs(trial, memory.connect('leader'), 'leader');
    await awaitRecords(memory, 3 + random(15));
    first.cutOff();
    await pause(leaseWithHostsMs + random(300));
    first.mend();
    await pause(random(500));
    second.cutOff();
    await pause(random(leaseWithHostsMs));
    first.cutOff();
    await pause(random(2 * leaseWithHostsMs));
    second.mend();
    first.mend();
    return leading;
  },

  'a leader of hosts is lost, and the next one while it places vats': async trial => {
    const { memory, random, host } = trial;
    host('h8');
    host('h9');
    const [first, second] = [memory.connect('first'), memory.connect('second')];
    const leading = mayLoseLease(leadAs(trial, first, 'first'));
    await awaitRecords(memory, 3 + random(15));
    const next = mayLoseLease(leadAs(trial, second, 'second', { isStandby: true }));
    first.cutOff();
    const { length } = memory.records;
    await awaitRecords(memory, length + 1);
    await pause(random(300));
    const standby = leadAs(trial, memory.connect('third'), 'third', { isStandby: true });
    second.cutOff();
    await pause(random(2 * leaseWithHostsMs));
    first.mend();
    second.mend();
    await Promise.all([leading, next]);
    return standby;
  },

  'two leaders begin at once': async trial => {
    const { memory, random } = trial;
    /** @type {{ activity: string } | undefined} */
    let outcome;
    const late = { delay: random(100) / 100, longestDelayMs: 10 };
    const leading = ['first', 'second'].map(name =>
      leadAs(trial, memory.connect(name, late), name).then(ended => {
        outcome = ended;
      }),
    );
    for (const each of leading)
      await each.catch(error => {
        if (!/has a leader already|is led by/.test(error.message)) throw error;
      });
    return outcome ?? leadAs(trial, memory.connect('third'), 'third');
  },

  'the clock on the wall is set back': async trial => {
    const { memory, random } = trial;
    const leading = mayLoseLease(leadAs(trial, memory.connect('first'), 'first'));
    await awaitRecords(memory, 2 + random(10));
    setBackMs += random(86_400_000);
    const standby = leadAs(trial, memory.connect('second'), 'second', { isStandby: true });
    await pause(random(50));
    setBackMs += random(1_000);
    await leading;
    return standby;
  },

  'the log splits, two leaders write on, and the halves are put together': async trial => {
    const { memory, random } = trial;
    trial.mayBeDamaged = true;
    let blocks = 3 + random(10);
    const shouldStop = () => {
      blocks -= 1;
      return blocks < 0;
    };
    const kept = makeMemoryStore();
    const local = { ...kept, close: async () => {} };
    const others = { local, isLocalKept: true };
    await leadAs(trial, memory.connect('first'), 'first', { ...others, shouldStop });
    const { records } = memory;
    const [split, ...before] = [1 + random(records.length - 1), ...records];
    // The server lost the end, and another leader went on without it.
    records.length = split;
    blocks = 1 + random(10);
    await leadAs(trial, memory.connect('second'), 'second', { shouldStop });
    const from = Math.min(split + random(4), records.length, before.length);
    if (random(2) === 0) records.splice(from, Infinity, ...before.slice(from));
    return leadAs(trial, memory.connect('third'), 'third', random(2) === 0 ? others : {});
  },

  'a record of the log is altered': trial => {
    const { memory, random } = trial;
    trial.mayBeDamaged = true;
    return interrupt(trial, () => {
      const { bytes } = memory.records[random(memory.records.length)];
      bytes[random(bytes.length)] ^= 1 << random(8);
    });
  },

  'a record of the log is lost, or two change places': trial => {
    const { memory, random } = trial;
    trial.mayBeDamaged = true;
    return interrupt(trial, () => {
      const { records } = memory;
      const at = 1 + random(records.length - 1);
      if (random(2) === 0) records.splice(at, 1);
      else [records[at].bytes, records[at - 1].bytes] = [records[at - 1].bytes, records[at].bytes];
    });
  },

  'the end of the log is lost': trial => {
    const { memory, random, hosts } = trial;
    // A host remembers what it has seen acknowledged.
    if (hosts > 0) trial.mayBeDamaged = true;
    return interrupt(trial, () => {
      memory.records.length = 1 + random(memory.records.length - 1);
    });
  },

  'the end of the log is lost, and a copy remembers it': trial => {
    const { memory, random } = trial;
    trial.mayBeDamaged = true;
    const kept = makeMemoryStore();
    const local = { ...kept, close: async () => {} };
    const cut = () => {
      memory.records.length -= 1 + random(3);
    };
    return interrupt(trial, cut, { local, isLocalKept: true });
  },

  'a checkpoint is altered, or lost': trial => {
    const { memory, random } = trial;
    trial.mayBeDamaged = true;
    return interrupt(trial, () => {
      const names = [...memory.blobs.keys()];
      if (names.length === 0) return;
      const name = names[random(names.length)];
      const blob = memory.blobs.get(name);
      if (random(2) === 0 || blob === undefined) memory.blobs.delete(name);
      else blob[random(blob.length)] ^= 1;
    });
  },
};

const kinds = Object.keys(faults);

const many = Number(process.env.CLUSTER_FAULTS ?? kinds.length);

/**
 * A log that nobody has damaged is whole, from its first record to its end.
 *
 * @param {MemoryCluster} memory
 * @param {string} hash
 * @returns {Promise<string>}
 */
const checkLog = async (memory, hash) => {
  const reader = memory.connect('reader');
  const log = /** @type {RunLog} */ (await reader.findLog());
  let [epoch, last] = [0, ''];
  try {
    for await (const { entry, head } of readLog(reader, run, log, { isWhole: true })) {
      if (entry.epoch < epoch) return `epoch ${entry.epoch} is behind epoch ${epoch}`;
      ({ epoch } = entry);
      last = `${entry.kind} ${head.activity}`;
    }
  } catch (error) {
    return String(error);
  }
  return last === `end ${hash}` ? 'equal' : `the log ends with ${last}`;
};

/** A host ends only if it is refused, or another process has its name. @param {Error} error */
const insistRefused = error => {
  if (!/refuses this host|another process has joined/.test(error.message)) throw error;
};

/** @param {number} seed @param {Program} program */
const tryOne = async (seed, program) => {
  const { title, hash } = program;
  const kind = kinds[seed % kinds.length];
  const memory = makeMemoryCluster({ seed });
  const draw = makeRandom(seed ^ 0x5eed);
  let isOver = false;
  /** @type {Promise<unknown>[]} */
  const hosting = [];
  /** @type {Trial} */
  const trial = {
    ...{ program, memory, random: makeRandom(seed), hosts: 0, mayBeDamaged: false },
    ...{ twins: draw(3) === 0 ? 2 : 1, moves: draw(2) === 0 },
    host(name, given, { isNoisy = false, ...others } = {}) {
      const isFirst = trial.hosts === 0;
      trial.hosts = trial.twins;
      const party = memory.connect(name, given);
      const cluster = isNoisy ? addNoise(party, makeRandom(seed ^ hosting.length)) : party;
      const options = { shouldStop: () => isOver, ...others };
      hosting.push(startHost(cluster, name, options).catch(insistRefused));
      if (isFirst && trial.moves)
        hosting.push(keepMoving(memory.connect('operator'), draw, () => isOver));
      if (isFirst && trial.twins > 1) trial.host('h7');
      return party;
    },
  };
  if (seed % withHosts === 0) trial.host('h0');
  let end = await judge(faults[kind](trial), hash, () => trial.mayBeDamaged);
  if (end === 'equal' && !trial.mayBeDamaged && !/the end of the log/.test(kind))
    end = await checkLog(memory, hash);
  isOver = true;
  await Promise.all(hosting);
  const how = trial.hosts === 0 ? '' : `, ${trial.twins > 1 ? 'twins' : 'hosts'}`;
  const moves = trial.hosts > 0 && trial.moves ? ', moves' : '';
  return { seed, kind: `${title}${how}${moves}: ${kind}`, end };
};

test('a run with failures ends like a run in one process, or reports the damage', async t => {
  const programOf = await makePrograms(many);
  const ends = await tryAll(t, { first, many, atOnce }, seed => tryOne(seed, programOf(seed)));
  t.true(ends.has('equal'));
  t.true(ends.has('DamagedRun'));
  const beforeMs = Date.now();
  setBackMs += 3_600_000;
  t.true(Date.now() < beforeMs, 'the clock on the wall was set back');
});
