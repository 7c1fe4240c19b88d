// The leader's list of hosts: it admits hosts, detects failed ones and receives their messages. A host may join if it
// has the same version of the package and the same engine. It gets a session; a message of another session, epoch or
// run, under another host's name or malformed is refused and counted. If nothing is heard of a host for the time of a
// lease, its session ends.

import { randomInt } from 'node:crypto';
import process from 'node:process';
import { showInLine } from '#model';
import { insistSameEngine } from './follower.js';
import { readJson, writeJson } from './host-messages.js';
import { DamagedPacket, Link, linkVersion, readPacket } from './link.js';
import { isName, namesOf } from './names.js';
import { isProven, proveSeen } from './seen-proof.js';

/** @import { Cluster } from './interface.js' */
/** @import { RunFacts } from './follower.js' */

/** Checks of all hosts per lease. */
const looks = 12;

/** Bound on the number of hosts. */
export const mostHosts = 1_000;

/** Bound on a host's threads: a host that claims more would get all vats. */
const mostThreads = 1_024;

/** An instance is random bytes of the host. */
const instancePattern = /^[0-9a-f]{16}$/;

/** The reason for refusals that a network or a server causes. */
const damaged = 'damaged on its way';

/** @param {unknown} value */
const isText = value => typeof value === 'string';

/** @param {Record<string, any>} hello  anything that was JSON */
const isGreeting = ({ instance, version, engine, threads, bundles }) =>
  isText(instance) &&
  instancePattern.test(instance) &&
  isText(version) &&
  [engine?.v8, engine?.icu, engine?.arch].every(isText) &&
  Number.isSafeInteger(threads) &&
  threads > 0 &&
  threads <= mostThreads &&
  Array.isArray(bundles) &&
  bundles.every(isText);

/**
 * @typedef {object} Host
 * @property {string} name
 * @property {string} instance  random, of its process
 * @property {number} session
 * @property {number} threads
 * @property {Link} link
 * @property {boolean} isHere
 * @property {Set<string>} bundles  that it has
 * @property {number} heldBytes  of its messages about deliveries that it foresaw, at most (ahead-results.js)
 * @property {boolean} wasAhead  whether it was ever ahead of the leader (ahead-results.js)
 * @property {Set<string>} vats  ids of its vats
 * @property {{ endedMs: number, countedMs: number, waitedMs: number }} work  when it last ended something, up to when its
 *   time was counted, and how long it has ended nothing (host-work.js)
 * @property {{ cranks: number, batches: number, busyNs: number, joinedMs: number }} figures
 */

/**
 * @typedef {object} HostListOptions
 * @property {Cluster} cluster
 * @property {RunFacts} facts
 * @property {number} epoch
 * @property {string} leader
 * @property {string} profile  of the kernel
 * @property {(host: Host) => void} onJoin
 * @property {(host: Host, reason: string) => void} onGone
 * @property {(host: Host, message: Uint8Array) => void} onMessage  throws a RangeError if it is malformed
 * @property {(host: Host) => string | undefined} findOverdue  called regularly: why it has taken too long
 * @property {(seen: { seq: number, hash: string }, host: string) => void} onSeen  a leader reported to a host that this
 *   record is acknowledged
 * @property {(line: string) => void} tell
 */

// eslint-disable-next-line house/max-class-lines -- hosts by name, by vat and by load are one table, which joining, leaving and moving change
export class HostList {
  #options;

  #names;

  /** @type {Map<string, Host>} joined hosts, by name */
  hosts = new Map();

  /** Refusals, by reason. @type {Map<string, number>} */
  refused = new Map();

  /** @type {() => void} */
  #unsubscribe;

  #timer;

  #isEnded = false;

  /** @param {HostListOptions} options */
  constructor(options) {
    this.#options = options;
    const { cluster, facts } = options;
    this.#names = namesOf(facts.run);
    this.#unsubscribe = cluster.subscribe(this.#names.fromHosts, (bytes, subject) =>
      this.#receive(bytes, this.#names.hostOf(subject)),
    );
    this.#timer = setInterval(() => this.#look(), facts.leaseMs / looks);
    this.#timer.unref();
    this.#announce();
  }

  #announce() {
    const { cluster, facts, epoch, leader } = this.#options;
    cluster.publish(
      this.#names.leader,
      writeJson({ kind: 'leader', run: facts.run, id: facts.id, epoch, leader }),
    );
  }

  get leaseMs() {
    return this.#options.facts.leaseMs;
  }

  get nowMs() {
    return this.#options.cluster.nowMs;
  }

  /** @param {string} reason */
  #refuse(reason) {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }

  #look() {
    const { cluster, facts, findOverdue } = this.#options;
    for (const host of this.hosts.values()) {
      if (cluster.nowMs() - host.link.heardMs > facts.leaseMs)
        this.end(host, `nothing was heard of it for ${facts.leaseMs} ms`);
      else if (host.link.owedMs > facts.leaseMs)
        this.end(host, `it is heard, but has acknowledged nothing for ${facts.leaseMs} ms`);
      else if (cluster.nowMs() - host.link.tookMs > facts.leaseMs)
        this.end(host, `it is heard, but has said nothing new for ${facts.leaseMs} ms`);
      else {
        const overdue = findOverdue(host);
        if (overdue !== undefined) {
          this.end(host, overdue);
          continue;
        }
        // A message that goes with the next batch does not wait for it for ever.
        host.link.flush();
        host.link.tick();
        host.link.acknowledge();
      }
    }
    this.#announce();
  }

  /**
   * End the session of a host.
   *
   * @param {Host} host
   * @param {string} reason
   */
  end(host, reason) {
    if (!host.isHere) return;
    host.isHere = false;
    this.hosts.delete(host.name);
    const { name, instance, session } = host;
    this.#send(name, { kind: 'gone', instance, session, reason: showInLine(reason) });
    this.#options.onGone(host, reason);
  }

  /** @param {string} name @param {object} message */
  #send(name, message) {
    this.#options.cluster.publish(this.#names.toHost(name), writeJson(message));
  }

  /** @param {Uint8Array} bytes @param {string} name  of the host whose subject it came under */
  #receive(bytes, name) {
    if (this.#isEnded) return;
    if (!isName(name)) {
      this.#refuse('under a name that is none');
      return;
    }
    const hello = readJson(bytes);
    if (hello !== undefined) {
      if (hello.kind === 'hello') this.#greet(hello, name);
      else this.#refuse('a message of no known kind');
      return;
    }
    const { facts, epoch } = this.#options;
    const host = this.hosts.get(name);
    try {
      const packet = readPacket(bytes);
      if (packet.id !== facts.id) return this.#refuse('of another run');
      if (packet.epoch !== epoch) return this.#refuse('of another epoch');
      if (host === undefined || packet.session !== host.session) {
        this.#refuse('of a session that has ended');
        // Tell the host, which has not noticed that its session ended.
        this.#send(name, {
          kind: 'gone',
          instance: '',
          session: packet.session,
          reason: 'its session has ended',
        });
        return;
      }
      host.link.receive(packet);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (error instanceof DamagedPacket) return this.#noteDamage(name, error);
      this.#refuse('malformed');
      if (host !== undefined)
        this.end(host, `what it says cannot be understood: ${showInLine(error.message)}`);
    }
  }

  /**
   * A damaged packet counts as lost: the host sends it again. The first is reported.
   *
   * @param {string} name
   * @param {DamagedPacket} damage
   */
  #noteDamage(name, { message }) {
    if (!this.refused.has(damaged)) this.#options.tell(`of host ${name}, ${message}`);
    this.#refuse(damaged);
  }

  /** @param {Record<string, any>} hello @param {string} name */
  #greet(hello, name) {
    const { cluster, facts, epoch, onJoin, onSeen, tell } = this.#options;
    const { instance, version, engine, threads, seen, bundles, left } = hello;
    if (!isGreeting(hello) || hello.run !== facts.run) return this.#refuse('a malformed greeting');
    const known = this.hosts.get(name);
    // A host that left a session has discarded its vats and the numbers of packets.
    const isSame = known !== undefined && known.instance === instance;
    if (isSame && known.session !== left) return this.#welcome(known);
    try {
      if (hello.protocol !== linkVersion)
        throw Error(`host ${name} speaks another version of frames`);
      insistSameEngine(facts, { version, engine }, `host ${name}`, process.versions.node);
      if (this.hosts.size >= mostHosts) throw Error(`the run has ${mostHosts} hosts already`);
    } catch (error) {
      const reason = showInLine(/** @type {Error} */ (error).message);
      this.#refuse('a host of another version or engine');
      this.#send(name, { kind: 'refuse', instance, reason });
      return;
    }
    if (isProven(facts, seen)) onSeen(seen, name);
    else if (seen !== undefined) this.#refuse('of a record that no leader has told of');
    if (isSame) this.end(known, 'it has left its session');
    else if (known !== undefined) {
      this.#send(name, { kind: 'replaced', instance: known.instance });
      this.end(known, 'another process has joined under its name');
    }
    const session = randomInt(1, 2 ** 47);
    const joinedMs = cluster.nowMs();
    /** @type {Host} */
    const host = {
      ...{ name, instance, session, threads, isHere: true, vats: new Set() },
      ...{ bundles: new Set(bundles), wasAhead: false, heldBytes: 0 },
      figures: { cranks: 0, batches: 0, busyNs: 0, joinedMs },
      work: { endedMs: joinedMs, countedMs: joinedMs, waitedMs: 0 },
      link: new Link({
        ...{ id: facts.id, epoch, session, maxBytes: cluster.maxBytes, nowMs: cluster.nowMs },
        send: packet => cluster.publish(this.#names.toHost(name), packet),
        // An earlier message of the batch may have ended the host's session.
        onMessage: message => {
          if (host.isHere) this.#options.onMessage(host, message);
        },
      }),
    };
    this.hosts.set(name, host);
    this.#welcome(host);
    tell(`host ${name} has joined, with ${threads} ${threads === 1 ? 'thread' : 'threads'}`);
    onJoin(host);
  }

  /** @param {Host} host */
  #welcome({ name, instance, session }) {
    const { facts, epoch, profile } = this.#options;
    const { id, leaseMs } = facts;
    this.#send(name, { kind: 'welcome', instance, session, id, epoch, profile, leaseMs });
  }

  /**
   * Tell hosts the last acknowledged record.
   *
   * @param {{ seq: number, hash: string }} seen
   * @param {(seen: any) => Uint8Array} write
   */
  tellSeen(seen, write) {
    if (this.hosts.size === 0) return;
    const message = write({ kind: 'seen', ...seen, proof: proveSeen(this.#options.facts, seen) });
    for (const { link } of this.hosts.values()) link.post(message);
  }

  /** Dismiss all hosts at the end of the run, also those that are about to join again. */
  dismiss() {
    const { cluster, facts, epoch } = this.#options;
    for (const { name, instance } of this.hosts.values())
      this.#send(name, { kind: 'bye', instance });
    cluster.publish(
      this.#names.leader,
      writeJson({ kind: 'over', run: facts.run, id: facts.id, epoch }),
    );
  }

  close() {
    this.#isEnded = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
  }
}
