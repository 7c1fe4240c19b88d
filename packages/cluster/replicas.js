// Keeps vats on hosts: it chooses a host for each, makes the vat there from its transcript, makes it anew when the host
// fails, and moves it on request. A delivery under way goes with the vat.

import {
  countOf,
  ByteReader,
  ByteWriter,
  findNearestName,
  quote,
  readTranscriptEntry,
  showInLine,
  UserError,
  writeTranscriptEntry,
} from '#model';
import {
  CannotMove,
  DivergedOnHost,
  findOnHost,
  forgetReads,
  insistSize,
  refusal,
} from './hosted-vat.js';
import { writeToHost } from './host-messages.js';
import { HostMoves } from './live-moves.js';
import { restoreMessages } from './restore-messages.js';
import { noteWork } from './host-work.js';
import { CannotMake, HostGone, makeFailureCount, noteLoss } from './restore-tries.js';

/** @import { Kernel } from '#kernel' */
/** @import { TranscriptEntry } from '#model' */
/** @import { BundleShelf } from '#host/vats/bundle-shelf.js' */
/** @import { Host, HostList } from './host-list.js' */
/** @import { Call, HostedVat, Replica } from './hosted-vat.js' */

/** The number of threads that may end in one delivery before its vat ends. */
const mostEnds = 2;

/** Names in an error, at most. */
const mostNames = 20;

/** The names that are there, if they are few, or the one that was meant. @param {string} name @param {string[]} there */
const suggest = (name, there) => {
  const more = there.length - mostNames;
  if (more <= 0) return `there are ${there.join(', ') || 'none'}`;
  const nearest = findNearestName(name, there);
  if (nearest !== undefined) return `did you mean ${quote(nearest)}?`;
  return `there are ${there.slice(0, mostNames).join(', ')} and ${more} more`;
};

/** @param {TranscriptEntry} entry */
export const cranksOfEntry = entry => (entry.kind === 'quiet' ? entry.cranks : 1);

/** The number of cranks in a transcript. @param {Uint8Array} transcript */
const countCranks = transcript => {
  let cranks = 0;
  for (const reader = new ByteReader(transcript); !reader.done;)
    cranks += cranksOfEntry(readTranscriptEntry(reader));
  return cranks;
};

// eslint-disable-next-line house/max-class-lines -- what followers have confirmed is private, and every method reads or moves it
export class Replicas {
  #kernel;

  #shelf;

  #hostList;

  #twins;

  #store;

  #isTimed;

  #tell;

  #onFailure;

  #liveMoves;

  /** @type {Map<string, HostedVat>} by id */
  vats = new Map();

  /** @type {{ resolve: () => void, reject: (error: Error) => void }[]} waits for a host */
  #waiting = [];

  /** Hosts with posted messages since the last flush. @type {Set<Host>} */
  #posted = new Set();

  /** @type {Error | undefined} the reason why it stopped */
  failure;

  /**
   * @param {object} parts
   * @param {Kernel} parts.kernel
   * @param {BundleShelf} parts.shelf
   * @param {HostList} parts.hostList
   * @param {number} parts.twins  the number of hosts for each vat
   * @param {import('#store').Store} parts.store  with the kernel's state at the end of each block
   * @param {boolean} parts.isTimed  whether hosts have a limit for each delivery
   * @param {(line: string) => void} parts.tell
   * @param {(error: Error) => void} parts.onFailure  called when a vat could not be restored
   */
  constructor({ kernel, shelf, hostList, twins, store, isTimed, tell, onFailure }) {
    this.#kernel = kernel;
    this.#shelf = shelf;
    this.#hostList = hostList;
    this.#twins = twins;
    this.#store = store;
    this.#isTimed = isTimed;
    this.#tell = tell;
    this.#onFailure = onFailure;
    const { nowMs } = hostList;
    this.#liveMoves = new HostMoves({ kernel, replicas: this, twins, nowMs });
  }

  /** Stop with an error. @param {Error} error */
  fail(error) {
    this.failure ??= error;
    for (const { replicas, incoming } of this.vats.values()) {
      for (const { made } of replicas) made?.(this.failure);
      incoming?.replica.made?.(this.failure);
    }
    this.#liveMoves.fail();
    for (const { reject } of this.#waiting) reject(this.failure);
    this.#waiting = [];
  }

  /** Post a message for the next flush. @param {Host} host @param {import('./host-messages.js').ToHost} message */
  post(host, message) {
    host.link.post(writeToHost(message));
    this.#posted.add(host);
  }

  /** Send each host its posted messages as one batch. */
  flush() {
    for (const host of this.#posted) {
      host.link.flush();
      host.figures.batches += 1;
    }
    this.#posted.clear();
  }

  /** Whether a vat waits for a host. */
  get isWaiting() {
    return this.#waiting.length > 0;
  }

  hostJoined() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  /**
   * Remove a vat's replica on a host, and restore it elsewhere.
   *
   * @param {HostedVat} vat
   * @param {Host} host
   * @param {HostGone} [problem]  if it was being made there
   */
  lose(vat, host, problem = new HostGone(`host ${host.name} is gone`)) {
    const lost = findOnHost(vat, host);
    if (lost === undefined) return;
    const { incoming, call } = vat;
    if (incoming?.replica === lost) vat.incoming = undefined;
    vat.replicas = vat.replicas.filter(each => each !== lost);
    host.vats.delete(vat.vatId);
    const failure = call && noteLoss(vat, call);
    if (failure !== undefined) this.#onFailure(failure);
    // The maker handles a replica that is not ready yet.
    if (lost.made !== undefined) lost.made(problem);
    else if (incoming !== undefined) incoming.hurry?.();
    else if (!vat.isClosed) this.bringBack(vat, host.name).catch(this.#onFailure);
  }

  /**
   * The host with the fewest failures, among equals that with the fewest vats per thread.
   *
   * @param {HostedVat} vat
   * @returns {Host | undefined}
   */
  #choose(vat) {
    const { failures } = vat;
    const taken = new Set(vat.replicas.map(({ host }) => host));
    if (vat.incoming !== undefined) taken.add(vat.incoming.replica.host);
    const isBetter = (/** @type {Host} */ left, /** @type {Host} */ right) => {
      const more = (failures.get(left.name) ?? 0) - (failures.get(right.name) ?? 0);
      return (
        more < 0 || (more === 0 && left.vats.size / left.threads < right.vats.size / right.threads)
      );
    };
    /** @type {Host | undefined} */
    let best;
    for (const host of this.#hostList.hosts.values()) {
      if (taken.has(host)) continue;
      if (best === undefined || isBetter(host, best)) best = host;
    }
    return best;
  }

  /** @param {HostedVat} vat @returns {Promise<Host>} */
  async #awaitHost(vat) {
    for (;;) {
      if (this.failure !== undefined) throw this.failure;
      const host = this.#choose(vat);
      if (host !== undefined) return host;
      const { size } = this.#hostList.hosts;
      this.#tell(`vat ${vat.name} waits for a host: ${size} ${size === 1 ? 'is' : 'are'} here`);
      await /** @type {Promise<void>} */ (
        new Promise((resolve, reject) => void this.#waiting.push({ resolve, reject }))
      );
    }
  }

  /**
   * Make a vat on a host, with its transcript if it has run already.
   *
   * @param {HostedVat} vat
   * @param {Host} host
   * @returns {Promise<Replica>}
   */
  async #make(vat, host) {
    const replica = this.open(vat, host);
    vat.replicas.push(replica);
    try {
      await this.restore(vat, replica, this.transcriptOf(vat));
      if (vat.isClosed) throw new HostGone(`vat ${vat.name} has ended`);
    } catch (error) {
      vat.replicas = vat.replicas.filter(each => each !== replica);
      // The partial copy is of no use.
      this.close(vat, host);
      throw error;
    }
    replica.isReady = true;
    return replica;
  }

  /**
   * Make a vat on a host from its transcript.
   *
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @param {Uint8Array} transcript
   * @throws {Error} as of `send`
   */
  async restore(vat, replica, transcript) {
    for (const message of restoreMessages(vat, transcript, this.#store)) {
      if (vat.isClosed) return;
      await this.send(vat, replica, message);
    }
  }

  /**
   * Make a replica on a host, and send the host the vat's bundle, nothing else yet.
   *
   * @param {HostedVat} vat
   * @param {Host} host
   * @returns {Replica} the caller adds it to the vat
   */
  open({ vatId, description }, host) {
    // Several hosts may have failed at the moment of the choice.
    if (!host.isHere) throw new HostGone();
    /** @type {Replica} */
    const replica = {
      ...{ host, isReady: false, at: 0, result: undefined, report: undefined, made: undefined },
      ...{ early: [], next: [], isAwaited: false, sentMs: this.#hostList.nowMs() },
      ...{ saidAt: 0, cranks: 1 },
    };
    host.vats.add(vatId);
    const { source } = description;
    if (!host.bundles.has(source)) {
      const { bundle, sourceUrls } = this.#shelf.require(source);
      host.bundles.add(source);
      const [text, urls] = [JSON.stringify(bundle), JSON.stringify(sourceUrls)];
      this.post(host, { kind: 'request', request: { kind: 'bundle', id: source, text, urls } });
    }
    return replica;
  }

  /**
   * Send a host what a vat is made of there, and wait until it is.
   *
   * @param {HostedVat} vat
   * @param {Replica} replica
   * @param {import('./host-messages.js').ToHost} message
   * @throws {CannotMove} if the message is too large for a host
   * @throws {Error} it could not be made
   */
  async send(vat, replica, message) {
    if (this.failure !== undefined) throw this.failure;
    const { host } = replica;
    // It may have been lost just after the message before, and nothing would settle the wait.
    if (findOnHost(vat, host) !== replica) throw new HostGone(`host ${host.name} is gone`);
    const bytes = writeToHost(message);
    insistSize(vat, bytes.length);
    replica.sentMs = this.#hostList.nowMs();
    const problem = await new Promise(resolve => {
      replica.made = resolve;
      host.link.post(bytes);
      noteWork(replica);
      if (this.#isTimed && 'transcript' in message)
        replica.cranks += countCranks(message.transcript);
      this.#posted.add(host);
      this.flush();
    });
    replica.made = undefined;
    if (problem !== undefined) throw this.#judge(vat, host, problem);
    vat.wasMade = true;
  }

  /**
   * Forget a vat that has ended, unless a host still makes it: what this host says of it would be taken for a lie, or for
   * an answer about the vat's next incarnation.
   *
   * @param {HostedVat} vat
   */
  forget({ vatId, incoming, isBeingMade }) {
    if (incoming === undefined && !isBeingMade) this.vats.delete(vatId);
  }

  /** Remove a vat from a host. @param {HostedVat} vat @param {Host} host */
  close({ vatId }, host) {
    host.vats.delete(vatId);
    if (host.isHere) this.post(host, { kind: 'request', request: { kind: 'close', vatId } });
    this.flush();
  }

  /**
   * Decide whether a failure to make a vat is the vat's or the host's. A vat that was made before, or has run, can be
   * made, so then it is the host's.
   *
   * @param {HostedVat} vat
   * @param {Host} host
   * @param {Error} problem  the reason from the host
   * @returns {Error}
   */
  #judge({ name, taken, wasMade }, host, problem) {
    if (problem instanceof HostGone || problem instanceof DivergedOnHost) return problem;
    if (problem === this.failure) return problem;
    // An error that is not the user's is one of the host.
    if (!wasMade && taken === 0 && UserError.is(problem)) return problem;
    const reason = `vat ${name} could not be made there: ${showInLine(problem.message)}`;
    this.#hostList.end(host, reason);
    return new CannotMake(reason);
  }

  /** The transcript of all results that the kernel has taken. @param {HostedVat} vat */
  transcriptOf({ vatId, taken, last, description }) {
    const stored = this.#kernel.transcriptBytes(vatId, undefined, description.incarnation);
    if (countCranks(stored) >= taken) return stored;
    const writer = new ByteWriter(stored.length + 256);
    writer.raw(stored);
    for (const entry of last?.() ?? []) writeTranscriptEntry(writer, entry);
    return writer.view();
  }

  /** Like `bringBack`, without waiting. @param {HostedVat} vat */
  mend(vat) {
    if (vat.replicas.length < this.#twins) this.bringBack(vat).catch(this.#onFailure);
  }

  /**
   * Make the missing replicas of a vat. If that is under way already, it goes on until none is missing: two makers
   * would make one too many, and the vat would never be whole.
   *
   * @param {HostedVat} vat
   * @param {string} [lostOn]  the host where it was lost; it is tried last
   */
  async bringBack(vat, lostOn) {
    const { failures } = vat;
    const note = (/** @type {string} */ name) => failures.set(name, (failures.get(name) ?? 0) + 1);
    if (lostOn !== undefined) note(lostOn);
    if (vat.isBeingMade) return;
    vat.isBeingMade = true;
    const noteFailure = makeFailureCount(vat);
    try {
      while (vat.replicas.length < this.#twins && !vat.isClosed) {
        const host = await this.#awaitHost(vat);
        // It may have ended while it waited: then its transcript is gone.
        if (vat.isClosed) break;
        try {
          this.takeUp(vat, await this.#make(vat, host));
        } catch (error) {
          if (!(error instanceof HostGone)) throw error;
          note(host.name);
          noteFailure(error);
        }
      }
    } finally {
      vat.isBeingMade = false;
      failures.clear();
      if (vat.isClosed) this.forget(vat);
    }
  }

  /** Give a new replica the call under way. @param {HostedVat} vat @param {Replica} replica */
  takeUp(vat, replica) {
    const { call } = vat;
    if (call === undefined) return;
    if (call.ends >= mostEnds) {
      replica.at = call.given.length;
      replica.result = refusal(vat.vatId, call);
      vat.wake?.();
      return;
    }
    this.sendCall(vat, replica, call);
    this.flush();
  }

  /** @param {HostedVat} vat @param {Replica} replica @param {Call} call */
  sendCall({ vatId, replicas }, replica, call) {
    const { when, asked, delivery } = call;
    // Reads have no effect, so reads of failed hosts need not be repeated.
    if (replicas.length === 1 || replicas.every(each => each === replica || each.at === 0))
      forgetReads(call);
    replica.at = 0;
    replica.next = [];
    replica.result = undefined;
    replica.sentMs = this.#hostList.nowMs();
    const request = /** @type {const} */ ({ kind: 'deliver', vatId, when, asked, delivery });
    this.post(replica.host, { kind: 'request', request });
    noteWork(replica);
  }

  /** The hosts of each vat. @returns {{ vatId: string, name: string, hosts: string[], cranks: number }[]} */
  placement() {
    return [...this.vats.values()].map(({ vatId, name, replicas, taken }) => ({
      ...{ vatId, name, cranks: taken },
      hosts: replicas.map(({ host }) => host.name),
    }));
  }

  /**
   * Move a vat to another host, while the run goes on. To be called between blocks.
   *
   * @param {string} which  its name or id
   * @param {string} hostName
   * @param {{ isLive?: boolean }} [options]  `isLive`: a person has asked for the move, and the run continues during it;
   *   otherwise nothing may run until the vat has moved
   * @returns {Promise<string>} the outcome, for people
   * @throws {CannotMove} if there is no such vat or host, or the vat is being restored
   */
  async move(which, hostName, { isLive = true } = {}) {
    const vat = [...this.vats.values()].find(
      ({ name, vatId }) => name === which || vatId === which,
    );
    const host = this.#hostList.hosts.get(hostName);
    if (vat === undefined) {
      const there = [...this.vats.values()].map(({ name }) => name);
      throw new CannotMove(`no vat ${quote(which)} is on a host; ${suggest(which, there)}`);
    }
    if (host === undefined) {
      const there = [...this.#hostList.hosts.keys()];
      throw new CannotMove(`there is no host ${quote(hostName)}; ${suggest(hostName, there)}`);
    }
    if (vat.replicas.some(each => each.host === host))
      return `vat ${vat.name} is on host ${hostName} already`;
    // The vat is being restored, which would make one replica more.
    const isOnItsWay = vat.incoming !== undefined || vat.replicas.some(({ isReady }) => !isReady);
    if (vat.replicas.length < this.#twins || isOnItsWay)
      throw new CannotMove(`vat ${vat.name} is on its way to a host; move it when it is there`, {
        exitCode: 1,
      });
    const { from, stillMs } = await this.#liveMoves.move(vat, host, isLive);
    vat.isPinned ||= isLive;
    return `vat ${vat.name} has moved from host ${from} to host ${hostName}, with ${countOf(vat.taken, 'crank')}, and stood still for ${Math.round(stillMs)} ms`;
  }

  /** Finish moves that wait for the end of a block. To be called between blocks. */
  betweenBlocks() {
    return this.#liveMoves.betweenBlocks();
  }

  /**
   * The placement of vats on one host each. Those that a person has placed are fixed, and those with many cranks.
   *
   * @param {number} mostCranks
   * @returns {import('./placement.js').PlacedVat[]}
   */
  placed(mostCranks) {
    return [...this.vats.values()]
      .filter(
        ({ replicas, incoming }) =>
          replicas.length === 1 && replicas[0].isReady && incoming === undefined,
      )
      .map(({ vatId, isPinned, taken, replicas: [{ host }] }) => ({
        ...{ vatId, host: host.name, isFixed: isPinned || taken >= mostCranks },
      }));
  }
}
