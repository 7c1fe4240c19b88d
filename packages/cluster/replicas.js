// Vats on their hosts: a host is chosen for each, it is made there from its transcript, made anew elsewhere when the host is gone,
// and moved when somebody wants it. What is under way in a vat goes with it.

import {
  ByteReader,
  ByteWriter,
  Fail,
  quote,
  readTranscriptEntry,
  showInLine,
  UserError,
  writeTranscriptEntry,
} from '#model';
import { DivergedOnHost, forgetReads, refusal } from './hosted-vat.js';
import { writeToHost } from './host-messages.js';

/** @import { Kernel } from '#kernel' */
/** @import { TranscriptEntry } from '#model' */
/** @import { BundleShelf } from '#host/bundle-shelf.js' */
/** @import { Host, HostList } from './host-list.js' */
/** @import { Call, HostedVat, Replica } from './hosted-vat.js' */

/** A delivery in which so many threads have ended ends its vat. */
const mostEnds = 2;

/** A vat that could not be brought back so often ends the run. */
const mostTries = 10;

/** @param {TranscriptEntry} entry */
export const cranksOfEntry = entry => (entry.kind === 'quiet' ? entry.cranks : 1);

/** A host has gone while something was made there. */
export class HostGone extends Error {}

// eslint-disable-next-line house/max-class-lines -- what followers have confirmed is private, and every method reads or moves it
export class Replicas {
  #kernel;

  #shelf;

  #hostList;

  #twins;

  #tell;

  #onFailure;

  /** @type {Map<string, HostedVat>} by id */
  vats = new Map();

  /** @type {{ resolve: () => void, reject: (error: Error) => void }[]} who waits for a host */
  #waiting = [];

  /** Hosts that were sent something since the last flush. @type {Set<Host>} */
  #posted = new Set();

  /** @type {Error | undefined} why nothing goes on */
  failure;

  /**
   * @param {object} parts
   * @param {Kernel} parts.kernel
   * @param {BundleShelf} parts.shelf
   * @param {HostList} parts.hostList
   * @param {number} parts.twins  on how many hosts each vat runs
   * @param {(line: string) => void} parts.tell
   * @param {(error: Error) => void} parts.onFailure  a vat could not be brought back
   */
  constructor({ kernel, shelf, hostList, twins, tell, onFailure }) {
    this.#kernel = kernel;
    this.#shelf = shelf;
    this.#hostList = hostList;
    this.#twins = twins;
    this.#tell = tell;
    this.#onFailure = onFailure;
  }

  /** Nothing goes on any more. @param {Error} error */
  fail(error) {
    this.failure ??= error;
    for (const { replicas } of this.vats.values())
      for (const { made } of replicas) made?.(this.failure);
    for (const { reject } of this.#waiting) reject(this.failure);
    this.#waiting = [];
  }

  /** To go with the next flush. @param {Host} host @param {import('./host-messages.js').ToHost} message */
  post(host, message) {
    host.link.post(writeToHost(message));
    this.#posted.add(host);
  }

  /** Each host gets what was posted for it, as one batch. */
  flush() {
    for (const host of this.#posted) {
      host.link.flush();
      host.figures.batches += 1;
    }
    this.#posted.clear();
  }

  hostJoined() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  /** A vat has lost its place on a host. @param {HostedVat} vat @param {Host} host */
  lose(vat, host) {
    const lost = vat.replicas.find(each => each.host === host);
    if (lost === undefined) return;
    vat.replicas = vat.replicas.filter(each => each !== lost);
    host.vats.delete(vat.vatId);
    // One that is not ready yet is looked after by who makes it.
    if (lost.made !== undefined) lost.made(new HostGone(`host ${host.name} is gone`));
    else if (!vat.isClosed) this.bringBack(vat, host.name).catch(this.#onFailure);
  }

  /**
   * The host with the fewest failures, and of several the one with the fewest vats.
   *
   * @param {HostedVat} vat
   * @param {ReadonlyMap<string, number>} failures  to make the vat, by the names of hosts
   * @returns {Host | undefined}
   */
  #choose(vat, failures) {
    const taken = new Set(vat.replicas.map(({ host }) => host));
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

  /** @param {HostedVat} vat @param {ReadonlyMap<string, number>} failures @returns {Promise<Host>} */
  async #awaitHost(vat, failures) {
    for (;;) {
      if (this.failure !== undefined) throw this.failure;
      const host = this.#choose(vat, failures);
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
    // It was chosen in a moment in which several were found to be gone.
    if (!host.isHere) throw new HostGone();
    const { vatId, description } = vat;
    /** @type {Replica} */
    const replica = {
      ...{ host, isReady: false, at: 0, result: undefined, report: undefined, made: undefined },
      sentMs: this.#hostList.nowMs(),
    };
    vat.replicas.push(replica);
    host.vats.add(vatId);
    const { source } = description;
    if (!host.bundles.has(source)) {
      const { bundle, sourceUrls } =
        this.#shelf.find(source) ?? Fail`bundle ${source} is not installed`;
      host.bundles.add(source);
      const [text, urls] = [JSON.stringify(bundle), JSON.stringify(sourceUrls)];
      this.post(host, { kind: 'request', request: { kind: 'bundle', id: source, text, urls } });
    }
    const problem = await new Promise(resolve => {
      replica.made = resolve;
      this.post(host, {
        ...{ kind: 'restore', vatId, description: JSON.stringify(description) },
        transcript: this.#transcriptOf(vat),
      });
      this.flush();
    });
    replica.made = undefined;
    if (problem !== undefined) {
      vat.replicas = vat.replicas.filter(each => each !== replica);
      host.vats.delete(vatId);
      // The partial copy is of no use.
      if (host.isHere) this.post(host, { kind: 'request', request: { kind: 'close', vatId } });
      throw this.#judge(vat, host, problem);
    }
    replica.isReady = true;
    return replica;
  }

  /**
   * A vat that has run somewhere can be made. If a host says that it cannot, something is wrong with the host.
   *
   * @param {HostedVat} vat
   * @param {Host} host
   * @param {Error} problem  why the vat was not made there
   * @returns {Error}
   */
  #judge({ name, taken }, host, problem) {
    if (problem instanceof HostGone || problem instanceof DivergedOnHost) return problem;
    if (problem === this.failure) return problem;
    const hasBundle = !/^bundle \S+ was not sent$/.test(problem.message);
    if (taken === 0 && hasBundle) return problem;
    const reason = `vat ${name} could not be made there: ${showInLine(problem.message)}`;
    this.#hostList.end(host, reason);
    return new HostGone(reason);
  }

  /** All that the kernel was given of a vat. @param {HostedVat} vat */
  #transcriptOf({ vatId, taken, last }) {
    const stored = this.#kernel.transcriptBytes(vatId);
    let cranks = 0;
    for (const reader = new ByteReader(stored); !reader.done;)
      cranks += cranksOfEntry(readTranscriptEntry(reader));
    if (cranks >= taken) return stored;
    const writer = new ByteWriter(stored.length + 256);
    writer.raw(stored);
    for (const entry of last) writeTranscriptEntry(writer, entry);
    return writer.view();
  }

  /**
   * Make as many replicas of a vat as there should be.
   *
   * @param {HostedVat} vat
   * @param {string} [lostOn]  the host where it was lost: others are tried before
   */
  async bringBack(vat, lostOn) {
    /** @type {Map<string, number>} */
    const failures = new Map(lostOn === undefined ? [] : [[lostOn, 1]]);
    let reason = '';
    for (let tries = 0; vat.replicas.length < this.#twins && !vat.isClosed; tries += 1) {
      if (tries === mostTries)
        throw new UserError(
          `vat ${vat.name} could not be brought back on any host in ${mostTries} tries: ${reason}; start hosts with more memory, then the same command goes on with the run`,
          { exitCode: 1 },
        );
      const host = await this.#awaitHost(vat, failures);
      try {
        await this.#insertReplica(vat, await this.#make(vat, host));
      } catch (error) {
        if (!(error instanceof HostGone)) throw error;
        reason = error.message;
        failures.set(host.name, (failures.get(host.name) ?? 0) + 1);
      }
    }
  }

  /** A new replica gets what is under way. @param {HostedVat} vat @param {Replica} replica */
  async #insertReplica(vat, replica) {
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
    // Reads changed nothing, so those that only hosts that are gone have asked need not be asked again.
    if (replicas.every(each => each === replica || each.at === 0)) forgetReads(call);
    replica.at = 0;
    replica.result = undefined;
    replica.sentMs = this.#hostList.nowMs();
    const request = /** @type {const} */ ({ kind: 'deliver', vatId, when, asked, delivery });
    this.post(replica.host, { kind: 'request', request });
  }

  /** Where vats are. @returns {{ vatId: string, name: string, hosts: string[], cranks: number }[]} */
  placement() {
    return [...this.vats.values()].map(({ vatId, name, replicas, taken }) => ({
      ...{ vatId, name, cranks: taken },
      hosts: replicas.map(({ host }) => host.name),
    }));
  }

  /**
   * Move a vat to another host.
   *
   * @param {string} which  its name or id
   * @param {string} hostName
   * @param {{ isPinned?: boolean }} [options]
   * @returns {Promise<string>} what was done, for people
   * @throws {UserError}
   */
  async move(which, hostName, { isPinned = true } = {}) {
    const vat = [...this.vats.values()].find(
      ({ name, vatId }) => name === which || vatId === which,
    );
    const host = this.#hostList.hosts.get(hostName);
    if (vat === undefined)
      throw new UserError(
        `no vat ${quote(which)} is on a host; there are ${
          this.placement()
            .map(({ name }) => name)
            .join(', ') || 'none'
        }`,
      );
    if (host === undefined)
      throw new UserError(
        `there is no host ${quote(hostName)}; there are ${[...this.#hostList.hosts.keys()].join(', ') || 'none'}`,
      );
    if (vat.replicas.some(each => each.host === host))
      return `vat ${vat.name} is on host ${hostName} already`;
    // Bringing the vat back is under way, and would make one replica more.
    if (vat.replicas.length < this.#twins || vat.replicas.some(({ isReady }) => !isReady))
      throw new UserError(`vat ${vat.name} is on its way to a host; move it when it is there`, {
        exitCode: 1,
      });
    const [old] = vat.replicas;
    try {
      await this.#make(vat, host);
    } catch (error) {
      // Its old host may have gone meanwhile.
      this.bringBack(vat).catch(this.#onFailure);
      throw error;
    }
    vat.isPinned ||= isPinned;
    vat.replicas = vat.replicas.filter(each => each !== old);
    old.host.vats.delete(vat.vatId);
    this.post(old.host, { kind: 'request', request: { kind: 'close', vatId: vat.vatId } });
    this.flush();
    return `vat ${vat.name} has moved from host ${old.host.name} to host ${hostName}, with ${vat.taken} cranks`;
  }

  /** Vats that may be moved by themselves: a person has not placed them, and it does not take long. @param {number} mostCranks */
  movable(mostCranks) {
    return [...this.vats.values()]
      .filter(
        ({ isPinned, taken, replicas }) => !isPinned && taken < mostCranks && replicas.length === 1,
      )
      .map(({ vatId, replicas: [{ host }] }) => ({ vatId, host: host.name }));
  }
}
