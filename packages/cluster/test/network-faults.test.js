// Runs over a nats-server whose network, processes and files fail: they end as one of a single process, or the damage is named. Leaders,
// standbys and hosts share this process, each behind a proxy of its own. More, with the seed that they begin with:
//
//   CLUSTER_FAULTS=1000 CLUSTER_FAULTS_SEED=1 npx ava packages/cluster/test/network-faults.test.js --timeout=10h

import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { connectNats } from '../index.js';
import { hasEnded } from '../status.js';
import { startProxy } from './proxy.js';
import { startHost, startLeader } from './run-cluster.js';
import { startServer, testWithServer } from './servers.js';
import {
  isOutOfReach,
  judge,
  makePrograms,
  makeRandom,
  mayLoseLease,
  pause,
  tryAll,
} from './trials.js';

/** @import { ExecutionContext } from 'ava' */
/** @import { Cluster } from '../interface.js' */
/** @import { NetworkFaults } from './proxy.js' */
/** @import { Program } from './trials.js' */

const many = Number(process.env.CLUSTER_FAULTS ?? 10);
const first = Number(process.env.CLUSTER_FAULTS_SEED ?? 1);

const atOnce = 5;

/** All parties share this process, and one that makes its vats lets the others wait. */
const leaseMs = 1_000;

/** @typedef {Parameters<typeof startLeader>[1]['others']} Others */
/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

/**
 * @typedef {object} Trial
 * @property {ReturnType<typeof makeRandom>} random
 * @property {(name: string, faults?: NetworkFaults) => Promise<{ proxy: Awaited<ReturnType<typeof startProxy>>, cluster: Cluster }>} connect
 *   a party, behind a proxy of its own
 * @property {(cluster: Cluster, name: string, others?: Others) => ReturnType<typeof startLeader>} lead  again and again, if the server is
 *   out of reach for too long
 * @property {(name: string, faults?: NetworkFaults) => ReturnType<Trial['connect']>} host  offers a place until the trial is over
 * @property {(count: number) => Promise<void>} awaitRecords  or the end of the run
 * @property {() => Promise<Server>} startOwnServer  instead of the one that trials share; to be called first
 * @property {(server: Server) => Promise<void>} restart  in the same place, with the same files
 */

/** A leader whose network fails, and a standby with a sound one. @param {Trial} trial @param {NetworkFaults} faults @param {(proxy: Awaited<ReturnType<typeof startProxy>>) => Promise<void>} [act] */
const withStandby = async ({ connect, lead, awaitRecords, random }, faults, act) => {
  const { cluster, proxy } = await connect('first', faults);
  const leading = mayLoseLease(lead(cluster, 'first'));
  await awaitRecords(2 + random(8));
  const standby = await connect('second');
  const following = lead(standby.cluster, 'second', { isStandby: true });
  await act?.(proxy);
  const [outcome] = await Promise.all([following, leading]);
  return outcome;
};

/** @type {Record<string, (trial: Trial) => Promise<{ activity: string }>>} */
const faults = {
  'bytes are late and in pieces': async ({ connect, lead, host, random }) => {
    const late = { tear: 0.5, delay: random(40) / 100, longestDelayMs: 1 + random(30) };
    if (random(2) === 0) await host('h1', late);
    const { cluster } = await connect('leader', late);
    return lead(cluster, 'leader');
  },

  'connections are cut in the midst of what they carry': trial =>
    withStandby(trial, { tear: 0.3, cut: (1 + trial.random(4)) / 100 }),

  'bytes come twice, or change places': trial =>
    withStandby(trial, { double: 0.01, swap: trial.random(3) / 100 }),

  'the connection of a leader stands still': trial =>
    withStandby(trial, {}, async proxy => {
      proxy.stall();
      await pause(trial.random(3 * leaseMs));
      proxy.release();
    }),

  'a leader cannot connect for some time': trial =>
    withStandby(trial, {}, async proxy => {
      proxy.refuse(true);
      await pause(trial.random(2 * leaseMs));
      proxy.refuse(false);
    }),

  'the connection of a host is cut, or stands still': async trial => {
    const { connect, lead, host, awaitRecords, random } = trial;
    const { proxy } = await host('h1');
    await host('h2', { cut: 0.005 });
    const { cluster } = await connect('leader');
    const leading = lead(cluster, 'leader');
    await awaitRecords(2 + random(10));
    if (random(2) === 0) proxy.refuse(true);
    else proxy.stall();
    await pause(random(2 * leaseMs));
    proxy.refuse(false);
    proxy.release();
    return leading;
  },

  'two leaders begin at once': async ({ connect, lead, random }) => {
    const late = { delay: 0.3, longestDelayMs: 1 + random(20) };
    const parties = await Promise.all(['first', 'second'].map(name => connect(name, late)));
    /** @type {{ activity: string } | undefined} */
    let outcome;
    const leading = parties.map(({ cluster }, i) =>
      lead(cluster, `leader ${i}`).then(ended => {
        outcome = ended;
      }),
    );
    for (const each of leading)
      await each.catch(error => {
        if (!/has a leader already|is led by/.test(error.message)) throw error;
      });
    // Both may have stood back, if neither saw the other's first record in time.
    return outcome ?? lead((await connect('third')).cluster, 'third');
  },

  'the server is killed, and begun again': async trial => {
    const { startOwnServer, restart, connect, lead, awaitRecords, random } = trial;
    const server = await startOwnServer();
    const { cluster } = await connect('leader');
    const leading = lead(cluster, 'leader');
    await awaitRecords(2 + random(15));
    await server.end('SIGKILL');
    await pause(random(500));
    await restart(server);
    return leading;
  },

  'the server stands still for some time': async trial => {
    const server = await trial.startOwnServer();
    return withStandby(trial, {}, async () => {
      server.child.kill('SIGSTOP');
      await pause(trial.random(2 * leaseMs));
      server.child.kill('SIGCONT');
    });
  },

  'the files of the log are altered, or cut, while the server is down': async trial => {
    const { startOwnServer, restart, connect, lead, random } = trial;
    const server = await startOwnServer();
    let blocks = 3 + random(20);
    const shouldStop = () => {
      blocks -= 1;
      return blocks < 0;
    };
    await lead((await connect('first')).cluster, 'first', { shouldStop });
    await server.end('SIGKILL');
    damageFiles(server.directory, random);
    await restart(server);
    return lead((await connect('second')).cluster, 'second');
  },
};

/** A byte of a block of the server's log is altered, or its end is cut off. @param {string} directory @param {ReturnType<typeof makeRandom>} random */
const damageFiles = (directory, random) => {
  const files = fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.blk'))
    .sort();
  const file = path.join(directory, files[random(files.length)]);
  const bytes = fs.readFileSync(file);
  if (random(2) === 0) fs.truncateSync(file, random(bytes.length));
  else {
    bytes[random(bytes.length)] ^= 1 << random(8);
    fs.writeFileSync(file, bytes);
  }
};

const kinds = Object.keys(faults);

/** @param {ExecutionContext} t @param {Server} shared @param {Program} program @param {number} seed */
const tryOne = async (t, shared, { title, config, rounds, hash }, seed) => {
  const kind = kinds[seed % kinds.length];
  const random = makeRandom(seed);
  const run = `f${seed}`;
  let port = shared.port;
  let hosts = 0;
  let isOver = false;
  /** @type {Cluster[]} */
  const clusters = [];
  /** @type {Promise<unknown>[]} */
  const hosting = [];

  /** @param {string} url @returns {Promise<Cluster>} */
  const connectPatiently = async url => {
    for (let tries = 0; ; tries += 1) {
      try {
        const cluster = await connectNats({ url, run, role: 'leader' });
        clusters.push(cluster);
        return cluster;
      } catch (error) {
        if (tries === 20) throw error;
      }
    }
  };
  /** @type {Trial['connect']} */
  const connect = async (_name, given = {}) => {
    const proxy = await startProxy(t, port, { faults: given, random });
    return { proxy, cluster: await connectPatiently(proxy.url) };
  };
  /** @type {Trial} */
  const trial = {
    random,
    connect,
    async lead(cluster, name, others) {
      for (let tries = 0; ; tries += 1) {
        try {
          return await startLeader(cluster, {
            ...{ name, hosts },
            others: {
              ...{
                run,
                config,
                ...(rounds !== undefined && { rounds }),
                leaseMs,
                patienceMs: 20_000,
                blockSize: 3,
              },
              ...{ checkpoint: { blocks: 7, bytes: 1e9 } },
              ...others,
            },
          });
        } catch (error) {
          if (!isOutOfReach(error) || tries === 5) throw error;
        }
      }
    },
    async host(name, given) {
      hosts = 1;
      const party = await connect(name, given);
      hosting.push(startHost(party.cluster, name, { run, shouldStop: () => isOver }));
      return party;
    },
    async awaitRecords(count) {
      const cluster = await connectPatiently(`nats://127.0.0.1:${port}`);
      for (;;) {
        if (((await (await cluster.findLog())?.last()) ?? 0) >= count) return;
        if (await hasEnded(cluster, run)) return;
        await pause(2);
      }
    },
    async startOwnServer() {
      const server = await startServer(t);
      port = server.port;
      return server;
    },
    restart: async ({ directory }) => {
      await startServer(t, { port, directory });
    },
  };
  const end = await judge(faults[kind](trial), hash, () => /files of the log/.test(kind));
  isOver = true;
  await Promise.all(hosting);
  for (const cluster of clusters) await cluster.close();
  return { seed, kind: `${title}: ${kind}`, end };
};

testWithServer(
  'a run with network or server failures ends like one in a single process, or names the damage',
  async (/** @type {ExecutionContext} */ t) => {
    const programOf = await makePrograms(many);
    const shared = await startServer(t);
    const ends = await tryAll(t, { first, many, atOnce }, seed =>
      tryOne(t, shared, programOf(seed), seed),
    );
    t.true(ends.has('equal'));
  },
);
