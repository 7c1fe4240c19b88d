// A host: it joins the leader of a run, keeps vats on threads, and leaves when the run is over. It obeys only the
// leader of the newest epoch that it has heard of. When the leader changes, or ends the session, it discards its vats and
// joins anew. It decides nothing: its state can be rebuilt from the log.

import { randomBytes } from 'node:crypto';
import { profiles } from '#kernel';
import { setEngineFlags } from '#host/engine/engine-flags.js';
import { showInLine, UserError } from '#model';
import { HostThreads } from './host-threads.js';
import { findOwnEngine } from './lead.js';
import { readJson, readToHost, writeJsonWithin, writeToLeader } from './host-messages.js';
import { DamagedPacket, Link, linkVersion, readPacket } from './link.js';
import { namesOf } from './names.js';
import { Place, usualThreads } from './place.js';
import { isWelcome, makeWaiting } from './waiting.js';

/** @import { Cluster } from './interface.js' */

/** Interval of a host's greetings while it has no session. */
const knockMs = 300;

/** Signs of life per lease of a joined host; some may be lost. */
const beats = 6;

/** Leases without a message of the leader after which a host leaves the session. */
const patience = 3;

/**
 * @typedef {object} HostOptions
 * @property {Cluster} cluster
 * @property {string} run
 * @property {string} name
 * @property {string} version  of the package
 * @property {number} [threads]
 * @property {string} [cacheDir]
 * @property {number} [patienceMs]  how long it waits for a leader; default: forever
 * @property {() => Promise<boolean>} [hasEnded]  whether the log has the end of the run, if it may be read
 * @property {() => boolean} [shouldStop]
 * @property {(line: string) => void} [tell]
 */

/** @typedef {{ id: string, epoch: number, session: number, link: Link, place: Place, leaseMs: number }} Joined */

/**
 * @param {import('./link.js').Packet} packet
 * @param {Joined} joined
 * @param {number} epoch  the newest one heard of
 */
const isPacketFor = (packet, joined, epoch) =>
  packet.id === joined.id &&
  packet.epoch === joined.epoch &&
  packet.epoch >= epoch &&
  packet.session === joined.session;

/** @param {string} run @param {unknown} reason */
const refusedBecause = (run, reason) =>
  new UserError(`the leader of run ${run} refuses this host: ${showInLine(String(reason))}`);

/** @param {string} run @param {string} name */
const replacedAs = (run, name) =>
  new UserError(
    `another process has joined run ${run} as host ${name}; give each a --name of its own`,
    { exitCode: 1 },
  );

/** Make a function that reports the first damaged packet only. @param {(line: string) => void} tell */
const makeDamageTeller = tell => {
  let isTold = false;
  return (/** @type {DamagedPacket} */ { message }) => {
    if (!isTold) tell(`of the leader, ${message}`);
    isTold = true;
  };
};

/** Make a timer that calls `act` at an interval that can change. @param {() => void} act */
const makeBeat = act => {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  return {
    every(/** @type {number} */ ms) {
      clearInterval(timer);
      timer = setInterval(act, ms);
    },
    stop: () => clearInterval(timer),
  };
};

/**
 * Take part in a run until it is over, or until `shouldStop()`.
 *
 * @param {HostOptions} options
 * @returns {Promise<'over' | 'stopped'>}
 * @throws {UserError} if the leader refuses it, another process has its name, it may not publish or subscribe, or there
 *   is no leader for `patienceMs`
 */
export const host = async options => {
  const { cluster, run, name, version, patienceMs = Infinity } = options;
  const { hasEnded = async () => false, shouldStop = () => false, tell = () => {} } = options;
  const [names, instance] = [namesOf(run), randomBytes(8).toString('hex')];
  const { threads = usualThreads() } = options;
  const bundles = new Map();
  const hostThreads = new HostThreads({ count: threads, cacheDir: options.cacheDir });
  /** The newest epoch heard of; older ones are refused. */
  let epoch = 0;
  let runId = '';
  /** The last session that it left, so that the leader does not continue it. */
  let left = 0;
  /** The last record that a leader reported as acknowledged. @type {import('./seen-proof.js').Seen | undefined} */
  let seen;
  /** @type {Joined | undefined} */
  let joined;
  const tellDamage = makeDamageTeller(tell);
  /** @type {(outcome: 'over' | 'stopped' | Error) => void} */
  let end = () => {};
  const ended = new Promise(resolve => {
    end = resolve;
  });

  const beat = makeBeat(() => look());

  const knock = () => {
    const newest = [...bundles.keys()].reverse();
    const hello = (/** @type {number} */ most) => ({
      ...{ kind: 'hello', run, instance, version, protocol: linkVersion, threads },
      ...{ engine: findOwnEngine(), bundles: newest.slice(0, most), left },
      ...(seen && { seen }),
    });
    cluster.publish(names.fromHost(name), writeJsonWithin(cluster.maxBytes, hello));
  };

  /** @param {string} reason */
  const leave = reason => {
    if (joined === undefined) return;
    const { place, session } = joined;
    left = session;
    if (place.size > 0) tell(`${reason}; its ${place.size} vats are discarded here`);
    joined = undefined;
    place.close();
  };

  /** @param {import('./waiting.js').Welcome} welcome */
  const join = ({ id, session, profile, leaseMs, epoch: of }) => {
    if (joined?.session === session || session === left || of < epoch) return;
    leave('a new session begins');
    if (id !== runId) seen = undefined;
    runId = id;
    epoch = of;
    // The engine must find the same objects dead on each machine.
    setEngineFlags('speed', profiles[profile].collectsObjects);
    const link = new Link({
      ...{ id, epoch, session, maxBytes: cluster.maxBytes, nowMs: cluster.nowMs },
      send: packet => cluster.publish(names.fromHost(name), packet),
      onMessage: bytes => {
        const message = readToHost(bytes);
        if (message.kind === 'seen') {
          seen = { seq: message.seq, hash: message.hash, proof: message.proof };
        } else place.take(message);
      },
    });
    const place = new Place({
      ...{ profile, threads: hostThreads, bundles, countReceived: () => link.batchesReceived },
      post: message => link.post(writeToLeader(message)),
      flush: () => {
        if (joined?.link === link) link.flush();
      },
    });
    joined = { id, epoch, session, link, place, leaseMs };
    beat.every(Math.min(knockMs, leaseMs / beats));
    tell(`joined run ${run}, epoch ${epoch}`);
  };

  /** @param {Record<string, any>} message */
  const takeWord = message => {
    const isOurs = message.instance === instance;
    switch (message.kind) {
      case 'welcome':
        if (isOurs && isWelcome(message)) join(message);
        break;
      case 'refuse':
        if (isOurs) end(refusedBecause(run, message.reason));
        break;
      case 'replaced':
        if (isOurs) end(replacedAs(run, name));
        break;
      case 'gone':
        if (joined?.session === message.session)
          leave(`the leader has given this host up: ${showInLine(String(message.reason))}`);
        break;
      case 'bye':
        if (isOurs) end('over');
        break;
      default:
    }
  };

  const stopHearing = cluster.subscribe(names.toHost(name), bytes => {
    const message = readJson(bytes);
    if (message !== undefined) {
      takeWord(message);
      return;
    }
    try {
      const packet = readPacket(bytes);
      if (joined !== undefined && isPacketFor(packet, joined, epoch)) joined.link.receive(packet);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The leader sends a damaged packet again.
      if (error instanceof DamagedPacket) tellDamage(error);
      else leave(`what the leader says cannot be understood: ${showInLine(error.message)}`);
    }
  });

  const stopWatching = cluster.subscribe(names.leader, bytes => {
    const message = readJson(bytes);
    if (message === undefined || !Number.isSafeInteger(message.epoch)) return;
    const isNewRun = message.id !== runId;
    if (message.kind === 'over' && (runId === '' || !isNewRun)) {
      if (isNewRun || /** @type {number} */ (message.epoch) >= epoch) end('over');
      return;
    }
    if (message.kind !== 'leader') return;
    if (!isNewRun && /** @type {number} */ (message.epoch) <= epoch) return;
    if (isNewRun) epoch = 0;
    epoch = Math.max(epoch, /** @type {number} */ (message.epoch));
    leave(`${showInLine(String(message.leader))} leads run ${run} now, with epoch ${epoch}`);
    knock();
  });

  const waiting = makeWaiting({
    ...{ cluster, run, patienceMs, hasEnded, tell },
    end: outcome => end(outcome),
  });

  const look = () => {
    if (joined !== undefined) waiting.isLed();
    if (shouldStop()) end('stopped');
    else if (joined === undefined) {
      knock();
      waiting.goesOn();
    } else if (cluster.nowMs() - joined.link.heardMs > patience * joined.leaseMs)
      leave('nothing is heard of the leader');
    else {
      joined.place.tellWork();
      joined.link.tick();
      joined.link.acknowledge();
    }
  };
  beat.every(knockMs);
  try {
    await cluster.ready();
    tell(`host ${name} looks for the leader of run ${run}`);
    knock();
    // The server reports a lack of permission only after the first message.
    await cluster.ready();
    const outcome = await ended;
    if (outcome instanceof Error) throw outcome;
    return /** @type {'over' | 'stopped'} */ (outcome);
  } finally {
    beat.stop();
    stopHearing();
    stopWatching();
    joined = undefined;
    await hostThreads.close();
  }
};
