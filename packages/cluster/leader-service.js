// The leader's services beside the kernel: it admits hosts, places vats on them, and answers requests for status and
// moves.

import { showInLine, UserError } from '#model';
import { HostPool } from './host-pool.js';
import { readJson, writeJsonWithin, writeToHost } from './host-messages.js';
import { namesOf } from './names.js';
import { HostList } from './host-list.js';
import { CannotMove } from './hosted-vat.js';
import { chooseMoves } from './placement.js';
import { HostGone } from './restore-tries.js';

/** @import { Cluster } from './interface.js' */
/** @import { RunFacts } from './follower.js' */
/** @import { LeaderLog } from './leader-log.js' */
/** @import { Store } from '#store' */

/** A vat with more cranks is not moved automatically, since restoring it takes long. */
const mostCranks = 2_000;

/**
 * Average numbers of deliveries under way at once: from `wide` on vats are spread over hosts, below `narrow` they are
 * moved together.
 */
const wide = 1.5;
const narrow = 1.2;

/**
 * How long a leader that takes over waits for the wanted number of hosts. Some may have failed with the previous
 * leader.
 */
const graceMs = 1_000;

/** Bound on the waiting requests. */
const mostRequests = 100;

/**
 * @typedef {object} ServiceOptions
 * @property {Cluster} cluster
 * @property {string} leader
 * @property {number} hosts  the number of hosts to wait for before vats are placed; 0: vats run on the leader's own
 *   thread
 * @property {number} twins
 * @property {number} [hostPatienceMs]  the longest that a host may take for one delivery; default: no limit
 * @property {(line: string) => void} tell
 */

/** The answer to those whose requests can be carried out no more. */
const goesOnNoMore = 'the run goes on no more on this leader';

/** How often a leader that waits for a host looks whether it should stop. */
const stopMs = 200;

/** A leader was stopped while it waited for a host. */
export class StoppedWaiting extends Error {}

/** @typedef {ReturnType<typeof makeLeaderService>} LeaderService */

/**
 * @param {ServiceOptions} options
 * @param {{ writer: LeaderLog, facts: RunFacts, profile: string, store: Store, shouldStop: () => boolean }} parts
 */
// eslint-disable-next-line max-lines-per-function -- what one leader answers to hosts and commands, a handler of some lines each
export const makeLeaderService = (options, { writer, facts, profile, store, shouldStop }) => {
  const { cluster, leader, hosts: wanted, twins, hostPatienceMs = Infinity, tell } = options;
  const names = namesOf(facts.run);
  const begunMs = cluster.nowMs();
  /** @type {HostPool | undefined} */
  let pool;
  /** @type {Error | undefined} */
  let failure;
  /** @type {(() => void)[]} */
  let arrivals = [];
  /** @type {{ which: string, host: string, reply: (bytes: Uint8Array) => void }[]} */
  let moves = [];

  /** @param {Error} error */
  const fail = error => {
    failure ??= error;
    pool?.fail(error);
    for (const arrive of arrivals) arrive();
  };

  // Otherwise the run looks between two blocks.
  const stopTimer = setInterval(() => {
    const isWaiting = arrivals.length > 0 || pool?.isWaiting();
    if (isWaiting && shouldStop()) fail(new StoppedWaiting());
  }, stopMs);

  /** Stop the run if the server says that this user may not subscribe or publish. */
  const insistPermitted = async () => {
    try {
      await cluster.ready();
    } catch (error) {
      // The writer of the log handles a closed connection.
      if (UserError.is(error)) fail(error);
    }
  };

  const hostList = new HostList({
    ...{ cluster, facts, epoch: writer.head.epoch, leader, profile, tell },
    onJoin: () => {
      // The welcome was the first message to it, so a lack of permission shows now.
      void insistPermitted();
      pool?.hostJoined();
      for (const arrive of arrivals) arrive();
      arrivals = [];
    },
    onGone: (host, reason) => {
      tell(`host ${host.name} is gone: ${reason}`);
      pool?.hostGone(host);
    },
    onMessage: (host, message) => {
      try {
        pool?.take(host, message);
      } catch (error) {
        // A malformed message is the host's fault; any other error is ours, and the channel would lose it.
        if (error instanceof RangeError) throw error;
        fail(/** @type {Error} */ (error));
      }
    },
    findOverdue: host => pool?.findOverdue(host),
    onSeen: (seen, name) => writer.insistSeen(seen, `host ${name}`),
  });

  /** @param {number} [most]  entries of each list */
  const status = (most = Infinity) => {
    const hosts = [...hostList.hosts.values()];
    const [vats, staying] = [pool?.placement() ?? [], pool?.staying() ?? []];
    const unlisted = (/** @type {unknown[]} */ { length }) => Math.max(0, length - most);
    return {
      ...{ run: facts.run, program: facts.program, leader, state: 'running' },
      ...{ epoch: writer.head.epoch, block: writer.head.block, record: writer.head.seq },
      ...{ activityHash: writer.head.activity, leaseMs: facts.leaseMs },
      upMs: Math.round(cluster.nowMs() - begunMs),
      hosts: hosts.slice(0, most).map(({ name, threads, vats: { size }, link, figures }) => ({
        ...{ name, threads, vats: size, lagMs: Math.round(cluster.nowMs() - link.heardMs) },
        ...{ cranks: figures.cranks, batches: figures.batches },
        busyMs: Math.round(figures.busyNs / 1_000_000),
      })),
      ...{ vats: vats.slice(0, most), staying: staying.slice(0, most) },
      unlisted: { hosts: unlisted(hosts), vats: unlisted(vats), staying: unlisted(staying) },
      refused: Object.fromEntries(hostList.refused),
    };
  };

  /** @param {(bytes: Uint8Array) => void} reply @param {'done' | 'problem'} kind @param {string} text */
  const answer = (reply, kind, text) =>
    reply(writeJsonWithin(cluster.maxBytes, most => ({ [kind]: showInLine(text, most) })));

  const stopAnswering = cluster.subscribe(names.ask, (bytes, _subject, reply) => {
    const question = readJson(bytes);
    if (reply === undefined || question === undefined) return;
    if (question.kind === 'status') reply(writeJsonWithin(cluster.maxBytes, status));
    else if (question.kind === 'move') {
      const { vat, host } = question;
      if (typeof vat !== 'string' || typeof host !== 'string' || moves.length >= mostRequests)
        answer(reply, 'problem', 'the request is malformed, or too many wait');
      else moves.push({ which: vat, host, reply });
    } else answer(reply, 'problem', 'this leader knows no such request');
  });

  /** @param {HostPool} placed */
  const beginMoves = placed => {
    const asked = moves;
    moves = [];
    for (const { which, host, reply } of asked) {
      const startMs = cluster.nowMs();
      placed
        .move(which, host)
        .then(
          done => {
            const tookMs = Math.round(cluster.nowMs() - startMs);
            answer(reply, 'done', `${done}; the move took ${tookMs} ms`);
          },
          error => {
            // The host failed meanwhile: its vats are restored as usual.
            const isExpected = UserError.is(error) || error instanceof HostGone;
            answer(reply, 'problem', isExpected ? error.message : goesOnNoMore);
            if (!isExpected) throw error;
          },
        )
        .catch(fail);
    }
  };

  /**
   * Vats that nobody has placed are put together while few of them work at once, and spread when many do. All moves of a
   * choice are made at one end of a block, so that no block runs with half of them.
   *
   * @param {HostPool} placed
   */
  const rebalance = async placed => {
    const { size } = hostList.hosts;
    if (twins > 1 || size < 2) return;
    const width = placed.width.take();
    if (width === undefined || placed.isAhead) return;
    const sends = placed.sends.take();
    if (width >= narrow && width < wide) return;
    const vats = placed.placedVats(mostCranks);
    const hosts = [...hostList.hosts.keys()];
    const counts = hosts.map(name => vats.filter(({ host }) => host === name).length);
    const target = hosts[counts.indexOf(Math.max(...counts))];
    const moves =
      width < narrow
        ? vats.filter(({ isFixed }) => !isFixed).map(({ vatId }) => [vatId, target])
        : chooseMoves(vats, hosts, sends);
    const hostOf = new Map(vats.map(({ vatId, host }) => [vatId, host]));
    for (const [vatId, host] of moves)
      if (hostOf.get(vatId) !== host) await placed.move(vatId, host, { isLive: false });
  };

  const isTakenOver = writer.head.epoch > 1;

  /** How long it still waits for hosts; 0: those that are here are enough. */
  const leftToWaitMs = () => {
    const { size } = hostList.hosts;
    if (size >= wanted) return 0;
    if (!isTakenOver || size < twins) return Infinity;
    return Math.max(0, graceMs - (cluster.nowMs() - begunMs));
  };

  const awaitHosts = async () => {
    await insistPermitted();
    let isTold = false;
    for (;;) {
      const leftMs = leftToWaitMs();
      if (leftMs === 0 || failure !== undefined) break;
      if (!isTold)
        tell(
          `waiting for ${wanted} ${wanted === 1 ? 'host' : 'hosts'}: swingset-runner host --cluster ${cluster.name} --run ${facts.run} --name NAME`,
        );
      isTold = true;
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      await /** @type {Promise<void>} */ (
        new Promise(resolve => {
          arrivals.push(resolve);
          if (leftMs < Infinity) timer = setTimeout(resolve, leftMs + 1);
        })
      );
      clearTimeout(timer);
    }
    if (failure !== undefined) throw failure;
    const { size } = hostList.hosts;
    if (size < wanted)
      tell(`going on with ${size} of ${wanted} hosts; others may join at any time`);
  };

  return {
    fail,
    status,
    /** The work of each host, for the report. */
    figures: () => status().hosts,
    ...(wanted > 0 && {
      /** @param {Pick<ConstructorParameters<typeof HostPool>[0], 'kernel' | 'shelf' | 'watch'>} parts */
      async openPool(parts) {
        await awaitHosts();
        const patienceMs = hostPatienceMs;
        pool = new HostPool({ ...parts, hostList, twins, store, patienceMs, tell });
        return pool;
      },
    }),
    /** Settles when the vats of a run that is taken up again are on hosts. */
    placed: async () => pool?.placed(),
    async betweenBlocks() {
      if (failure !== undefined) throw failure;
      const { seq, hash } = writer.head;
      hostList.tellSeen({ seq, hash }, writeToHost);
      if (pool === undefined) return;
      try {
        await pool.betweenBlocks();
        beginMoves(pool);
        await rebalance(pool);
        pool.goAhead();
      } catch (error) {
        // A host failed meanwhile: its vats are restored as usual.
        if (!(error instanceof HostGone || error instanceof CannotMove)) throw error;
      }
    },
    /** The run is over: hosts may go. */
    end: () => hostList.dismiss(),
    close() {
      for (const { reply } of moves) answer(reply, 'problem', goesOnNoMore);
      moves = [];
      clearInterval(stopTimer);
      stopAnswering();
      hostList.close();
    },
  };
};
