// Whatever fails on the way, a run ends as one of a single process, or the damage is named, and nothing else. Fifty short runs within
// this process; more of them, with the seed that they begin with:
//
//   CLUSTER_FAULTS=1000 CLUSTER_FAULTS_SEED=1 npx ava packages/cluster/test/faults.test.js --timeout=10h

import process from 'node:process';
import test from 'ava';
import { makeMemoryStore } from '#store';
import { LeadershipLost, makeMemoryCluster } from '../index.js';
import { DamagedRun } from '../log-reader.js';
import { hashOfPlainRun, startHost, startLeader } from './run-cluster.js';

/** @import { MemoryCluster } from '../memory-cluster.js' */

const many = Number(process.env.CLUSTER_FAULTS ?? 50);
const firstSeed = Number(process.env.CLUSTER_FAULTS_SEED ?? 1);

/** So many run at once: most of their time they wait for a lease. */
const atOnce = 10;

/** Every so many runs have hosts, which take some 300 ms to begin. */
const withHosts = 10;

const rounds = 12;
const leaseMs = 300;

/** All parties share this process, and one that makes its vats lets the others wait. */
const leaseWithHostsMs = 1_500;

/** @param {number} ms */
const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));

/** Numbers from 0 to `below`, without it. @param {number} seed */
const makeRandom = seed => {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5) >>> 0;
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 2 ** 32) * below);
  };
};

/**
 * A run that is about to fail.
 *
 * @typedef {object} Trial
 * @property {MemoryCluster} memory
 * @property {ReturnType<typeof makeRandom>} random
 * @property {number} hosts
 * @property {Set<string>} expected  errors that may end a leader: names of classes
 */

/** @typedef {Parameters<typeof startLeader>[1]['others']} Others */

/** @param {Trial} trial @param {ReturnType<MemoryCluster['connect']>} party @param {string} name @param {Others} [others] */
const leadAs = ({ hosts }, party, name, others) =>
  startLeader(party, {
    ...{ demo: 'pingpong', name, hosts },
    others: {
      ...{
        rounds,
        leaseMs: hosts > 0 ? leaseWithHostsMs : leaseMs,
        patienceMs: 60_000,
        blockSize: 3,
        checkpoint: { blocks: 7, bytes: 1e9 },
      },
      ...others,
    },
  });

/** Resolves when the log has so many records. @param {MemoryCluster} memory @param {number} count */
const awaitRecords = async (memory, count) => {
  while (memory.records.length < count) await pause(1);
};

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

/** What fails, and who ends the run. @type {Record<string, (trial: Trial) => Promise<{ activity: string }>>} */
const faults = {
  'messages and acknowledgements are lost, doubled and late': trial => {
    const { random } = trial;
    const rates = { drop: random(5) / 100, double: random(20) / 100 };
    const others = { delay: random(50) / 100, cut: random(30) / 100, longestDelayMs: 3 };
    return leadAs(trial, trial.memory.connect('leader', { ...rates, ...others }), 'leader');
  },

  'a leader is cut off, another takes over, and it comes back': async trial => {
    const { memory, random, expected } = trial;
    expected.add('LeadershipLost');
    const first = memory.connect('first');
    const leading = leadAs(trial, first, 'first').catch(error => error);
    await awaitRecords(memory, 3 + random(15));
    first.cutOff();
    const outcome = await leadAs(trial, memory.connect('second'), 'second', { isStandby: true });
    first.mend();
    const old = await leading;
    if (old instanceof Error && !(old instanceof LeadershipLost)) throw old;
    return outcome;
  },

  'a leader stands still for some time': async trial => {
    const { memory, random, expected } = trial;
    expected.add('LeadershipLost');
    const first = memory.connect('first');
    const leading = leadAs(trial, first, 'first').catch(error => error);
    await awaitRecords(memory, 3 + random(15));
    first.cutOff();
    const standby = leadAs(trial, memory.connect('second'), 'second', { isStandby: true });
    await pause(random(2 * leaseMs));
    first.mend();
    const old = await leading;
    if (old instanceof Error && !(old instanceof LeadershipLost)) throw old;
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
    const { memory, random, expected } = trial;
    expected.add('LeadershipLost');
    const first = memory.connect('first', { clockRate: 0.2 + random(30) / 10 });
    const leading = leadAs(trial, first, 'first').catch(error => error);
    await awaitRecords(memory, 2 + random(10));
    first.holdClock(random(1_000));
    const second = memory.connect('second', { clockRate: 0.2 + random(60) / 10 });
    const outcome = await leadAs(trial, second, 'second', { isStandby: true });
    const old = await leading;
    if (old instanceof Error && !(old instanceof LeadershipLost)) throw old;
    return outcome;
  },

  'a record of the log is altered': trial => {
    const { memory, random, expected } = trial;
    expected.add('DamagedRun');
    return interrupt(trial, () => {
      const { bytes } = memory.records[random(memory.records.length)];
      bytes[random(bytes.length)] ^= 1 << random(8);
    });
  },

  'a record of the log is lost, or two change places': trial => {
    const { memory, random, expected } = trial;
    expected.add('DamagedRun');
    return interrupt(trial, () => {
      const { records } = memory;
      const at = 1 + random(records.length - 1);
      if (random(2) === 0) records.splice(at, 1);
      else [records[at].bytes, records[at - 1].bytes] = [records[at - 1].bytes, records[at].bytes];
    });
  },

  'the end of the log is lost': trial => {
    const { memory, random, hosts, expected } = trial;
    // A host remembers what it has seen acknowledged.
    if (hosts > 0) expected.add('DamagedRun');
    return interrupt(trial, () => {
      memory.records.length = 1 + random(memory.records.length - 1);
    });
  },

  'the end of the log is lost, and a copy remembers it': trial => {
    const { memory, random, expected } = trial;
    expected.add('DamagedRun');
    const kept = makeMemoryStore();
    const local = { ...kept, close: async () => {} };
    const cut = () => {
      memory.records.length -= 1 + random(3);
    };
    return interrupt(trial, cut, { local, isLocalKept: true });
  },

  'a checkpoint is altered, or lost': trial => {
    const { memory, random, expected } = trial;
    expected.add('DamagedRun');
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

/** @param {number} seed @param {string} hash  of the run on one thread */
const tryOne = async (seed, hash) => {
  const kind = kinds[seed % kinds.length];
  const hosts = seed % withHosts === 0 ? 1 : 0;
  const memory = makeMemoryCluster({ seed });
  let isOver = false;
  const hosting = Array.from({ length: hosts }, (_, i) =>
    startHost(memory.connect(`host ${i}`), `h${i}`, { shouldStop: () => isOver }),
  );
  /** @type {Trial} */
  const trial = { memory, random: makeRandom(seed), hosts, expected: new Set() };
  /** @type {string} */
  let ended;
  try {
    const { activity } = await faults[kind](trial);
    ended = activity === hash ? 'equal' : `another hash, ${activity}`;
  } catch (error) {
    const isNamed = error instanceof DamagedRun || error instanceof LeadershipLost;
    const name = /** @type {Error} */ (error).constructor.name;
    ended = isNamed && trial.expected.has(name) ? name : String(error);
  }
  isOver = true;
  await Promise.all(hosting);
  return { seed, kind, ended };
};

test('a run of which something fails ends as one of a single process, or the damage is named', async t => {
  const hash = await hashOfPlainRun('pingpong', rounds);
  /** @type {Map<string, number>} */
  const ends = new Map();
  for (let from = firstSeed; from < firstSeed + many; from += atOnce) {
    const seeds = Array.from(
      { length: Math.min(atOnce, firstSeed + many - from) },
      (_, i) => from + i,
    );
    for (const { seed, kind, ended } of await Promise.all(seeds.map(seed => tryOne(seed, hash)))) {
      t.true(
        ['equal', 'DamagedRun', 'LeadershipLost'].includes(ended),
        `seed ${seed}: ${kind}: ${ended}`,
      );
      const row = `${kind}: ${ended}`;
      ends.set(row, (ends.get(row) ?? 0) + 1);
    }
  }
  for (const [row, count] of [...ends].sort()) t.log(`${count} times: ${row}`);
  t.true([...ends.keys()].some(row => row.endsWith('equal')));
  t.true([...ends.keys()].some(row => row.endsWith('DamagedRun')));
});
