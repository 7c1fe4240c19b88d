// One measurement of a run over several processes: this process is the leader; the hosts and a
// nats-server are its children. Started by suite.js.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { connectNats } from '#cluster';
import { lead } from '#cluster/lead.js';
import { LeaderLog } from '#cluster/leader-log.js';
import { makeLeaderService } from '#cluster/leader-service.js';
import { startLocalServer } from '#cluster/local-servers.js';
import { emptyHead } from '#cluster/log-reader.js';
import { readRecord } from '#cluster/record.js';
import { askMove, askStatus } from '#cluster/status.js';
import { writeBatch } from '#cluster/batch-bytes.js';
import { loadConfig, makeMemoryStore, openLmdbStore } from '#host';
import { answer, withTemporaryFolder } from '../process.js';

/** @import { Cluster } from '#cluster' */

/**
 * @typedef {object} Options
 * @property {'rounds' | 'hostFailover' | 'leaderFailover' | 'move' | 'commit' | 'lmdb'} kind
 * @property {string} [server]  the program
 * @property {string} program  a folder, from the project's root
 * @property {string[]} argv
 * @property {number} hosts
 * @property {number} warmup  rounds, or blocks, that do not count
 * @property {number} rounds  or blocks
 * @property {string} [syncInterval]
 * @property {number} leaseMs
 */

const run = 'bench';
const root = fileURLToPath(new URL('../../', import.meta.url));
const main = `${root}runner/main.js`;
const { version } = JSON.parse(
  (await import('node:fs')).readFileSync(`${root}package.json`, 'utf8'),
);

/** @typedef {Awaited<ReturnType<typeof startLocalServer>>} Server */

/** @param {Server} server @param {string} role @param {string[]} given */
const startProcess = ({ url, keyFile }, role, given) => {
  const [command, ...rest] = given;
  const flags = ['--cluster', url, '--run', run, '--nkey', keyFile(role)];
  const child = spawn(process.execPath, [main, command, ...rest, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  // End the child with this process, even if the benchmark throws.
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  return {
    child,
    says: (/** @type {RegExp} */ pattern) => pattern.test(said),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** @param {Server} server @param {string} name */
const startHost = (server, name) =>
  startProcess(server, `host.${name}`, ['host', '--name', name, '--threads', '1']);

/**
 * Lead the program.
 *
 * @param {Options} options
 * @param {Cluster} cluster
 * @param {{ rounds: number, onRound: (round: number, nowMs: number) => void, shouldStop?: () => boolean }} events
 */
const leadRounds = ({ program, argv, hosts, leaseMs }, cluster, { rounds, onRound, shouldStop }) =>
  lead({
    ...{ cluster, run, leader: 'leader', version, leaseMs, local: makeMemoryStore(), rounds },
    config: loadConfig({ baseDir: `${root}${program}`, argv }),
    serve: parts =>
      makeLeaderService({ cluster, leader: 'leader', hosts, twins: 1, tell: () => {} }, parts),
    onBlock: (_taken, { done }) => onRound(done, performance.now()),
    ...(shouldStop && { shouldStop }),
  });

/** The pause beyond the lease after a host or the leader was killed. @param {number[]} timesMs @param {number} fromMs @param {number} leaseMs */
const longestGap = (timesMs, fromMs, leaseMs) => {
  const later = timesMs.filter(ms => ms >= fromMs);
  let longest = 0;
  let before = fromMs;
  for (const ms of later) {
    longest = Math.max(longest, ms - before);
    before = ms;
  }
  return longest - leaseMs;
};

/** @param {Options} options @param {Server} server @param {Cluster} cluster */
const measureRounds = async (options, server, cluster) => {
  const { hosts, warmup, rounds } = options;
  const children = Array.from({ length: hosts }, (_, i) => startHost(server, `h${i + 1}`));
  /** @type {number[]} */
  const valuesUs = [];
  let processor = process.cpuUsage();
  let beforeMs = 0;
  let known = 0;
  try {
    const { activity } = await leadRounds(options, cluster, {
      rounds: warmup + rounds,
      onRound: (done, nowMs) => {
        if (done === known) return;
        if (known >= warmup) valuesUs.push(((nowMs - beforeMs) * 1_000) / (done - known));
        else processor = process.cpuUsage();
        known = done;
        beforeMs = nowMs;
      },
    });
    const { user, system } = process.cpuUsage(processor);
    return { valuesUs, activity, leaderUs: (user + system) / rounds };
  } finally {
    for (const { end } of children) await end();
  }
};

/** Kill the host with the vats. @param {Options} options @param {Server} server @param {Cluster} cluster @param {Cluster} operator */
const measureHostFailover = async (options, server, cluster, operator) => {
  const { warmup, leaseMs } = options;
  const children = ['h1', 'h2'].map(name => startHost(server, name));
  /** @type {number[]} */
  const timesMs = [];
  let killedMs = 0;
  let isOver = false;
  try {
    const leading = leadRounds({ ...options, hosts: 2 }, cluster, {
      rounds: 1_000_000,
      onRound: (done, nowMs) => {
        timesMs.push(nowMs);
        if (done < warmup || killedMs > 0) {
          // Some rounds after the longest gap that a lease can make.
          if (killedMs > 0 && nowMs - killedMs > leaseMs + 500) isOver = true;
          return;
        }
        killedMs = performance.now();
        void askStatus(operator, run).then(({ hosts }) => {
          const busy = [...hosts].sort((left, right) => right.vats - left.vats)[0].name;
          killedMs = performance.now();
          children[Number(busy.slice(1)) - 1].child.kill('SIGKILL');
        });
      },
      shouldStop: () => isOver,
    });
    await leading;
    return { valuesMs: [longestGap(timesMs, killedMs, leaseMs)] };
  } finally {
    for (const { end } of children) await end();
  }
};

/** Kill the leader while a standby waits. @param {Options} options @param {Server} server @param {Cluster} cluster */
const measureLeaderFailover = async ({ program, warmup, leaseMs }, server, cluster) => {
  const leading = ['lead', `${root}${program}`, '--hosts', '1', '--lease', `${leaseMs}ms`];
  const leader = startProcess(server, 'leader', [
    ...leading,
    '--name',
    'first',
    '--benchmark',
    '1000000',
  ]);
  const children = [leader, startHost(server, 'h1')];
  let killedMs = 0;
  /** @type {(ms: number) => void} */
  let resolve = () => {};
  const taken = new Promise(done => {
    resolve = done;
  });
  let blocks = 0;
  /** @type {ReturnType<typeof startProcess> | undefined} */
  let standby;
  const stop = cluster.subscribe(`swingset.${run}.log`, bytes => {
    const { kind, epoch } = readRecord(bytes);
    if (kind !== 'block') return;
    const nowMs = performance.now();
    if (epoch > 1) resolve(nowMs);
    blocks += 1;
    if (blocks === 10) {
      standby = startProcess(server, 'leader', [...leading, '--name', 'second', '--standby']);
      children.push(standby);
    }
    // A standby that has just started does not know the time of the last record, and waits for a
    // whole lease.
    if (!standby?.says(/following run/) || blocks < 10 + warmup || killedMs > 0) return;
    killedMs = nowMs;
    leader.child.kill('SIGKILL');
  });
  try {
    return { valuesMs: [(await taken) - killedMs - leaseMs] };
  } finally {
    stop();
    for (const { end } of children) await end();
  }
};

/** Move a vat with many cranks there and back. @param {Options} options @param {Server} server @param {Cluster} cluster @param {Cluster} operator */
const measureMoves = async (options, server, cluster, operator) => {
  const { warmup, rounds } = options;
  const children = ['h1', 'h2'].map(name => startHost(server, name));
  /** @type {number[]} */
  const valuesMs = [];
  /** @type {string[]} */
  const told = [];
  let isOver = false;
  let isAsked = false;
  /** @type {Promise<void>} */
  let moving = Promise.resolve();
  const move = async () => {
    for (let i = 0; i < rounds; i += 1) {
      const { vats } = await askStatus(operator, run);
      const vat = vats.sort((left, right) => right.cranks - left.cranks)[0];
      const fromMs = performance.now();
      told.push(await askMove(operator, run, vat.name, vat.hosts[0] === 'h1' ? 'h2' : 'h1'));
      valuesMs.push(performance.now() - fromMs);
    }
    isOver = true;
  };
  try {
    const leading = leadRounds({ ...options, hosts: 2 }, cluster, {
      rounds: 1_000_000,
      onRound: done => {
        if (done < warmup || isAsked) return;
        isAsked = true;
        moving = move();
      },
      shouldStop: () => isOver,
    });
    await leading;
    await moving;
    const stillMs = told.map(line => Number(/stood still for (\d+) ms/.exec(line)?.[1]));
    return { valuesMs, stillMs, told };
  } finally {
    for (const { end } of children) await end();
  }
};

/** A block about as large as that of a round of PingPong: forty keys and two transcripts. @param {number} number */
const blockOf = number => ({
  puts: new Map(Array.from({ length: 40 }, (_, i) => [`key.${i}`, `value ${number} of key ${i}`])),
  appends: new Map(
    ['t.v1.0', 't.v2.0'].map(name => [name, new Uint8Array(600).fill(number & 255)]),
  ),
  deleteStreams: [],
});

/** @param {Options} options @param {(number: number) => unknown} commit */
const timeCommits = async ({ warmup, rounds }, commit) => {
  const valuesUs = [];
  for (let i = 0; i < warmup + rounds; i += 1) {
    const fromMs = performance.now();
    await commit(i);
    if (i >= warmup) valuesUs.push((performance.now() - fromMs) * 1_000);
  }
  return { valuesUs };
};

/** @param {Options} options @param {Cluster} cluster */
const measureCommits = async (options, cluster) => {
  const writer = new LeaderLog({
    ...{ cluster, run, head: emptyHead, leader: 'leader', leaseMs: 60_000, patienceMs: 60_000 },
    ...{ log: await cluster.provideLog(), tell: () => {}, onLost: () => {} },
  });
  await writer.begin({ run });
  await writer.takeOver();
  try {
    return await timeCommits(options, number =>
      writer.appendBlock(writeBatch(blockOf(number)), 'ab'.repeat(32)),
    );
  } finally {
    writer.stop();
  }
};

/** Times commits of these blocks to the embedded store. @param {Options} options @param {string} dir */
const measureLmdb = async (options, dir) => {
  const store = openLmdbStore({ dir: `${dir}/state`, durability: 'commit', create: true });
  try {
    return await timeCommits(options, number => store.commit(blockOf(number)));
  } finally {
    await store.close();
  }
};

/** @param {Options} options */
const measure = options =>
  withTemporaryFolder('cluster', async dir => {
    const { kind, server: program, syncInterval } = options;
    if (kind === 'lmdb') return measureLmdb(options, dir);
    const hosts = ['h1', 'h2', 'h3'];
    const server = await startLocalServer({
      ...{ run, hosts, parentDir: dir },
      ...(program !== undefined && { server: program }),
      ...(syncInterval !== undefined && { syncInterval }),
    });
    process.once('exit', () => {
      try {
        process.kill(server.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    });
    try {
      const { url, keyFile } = server;
      const nkey = keyFile('leader');
      const cluster = await connectNats({ url, run, role: 'leader', nkey });
      const asking = { url, run, role: /** @type {const} */ ('operator') };
      const operator = await connectNats({ ...asking, nkey: keyFile('operator') });
      try {
        if (kind === 'rounds') return await measureRounds(options, server, cluster);
        if (kind === 'hostFailover')
          return await measureHostFailover(options, server, cluster, operator);
        if (kind === 'leaderFailover') return await measureLeaderFailover(options, server, cluster);
        if (kind === 'move') return await measureMoves(options, server, cluster, operator);
        return await measureCommits(options, cluster);
      } finally {
        await operator.close();
        await cluster.close();
      }
    } finally {
      await server.close();
    }
  });

await answer(measure);
