// A cluster within this process, for tests with fault injection. Each party connects separately, and a seed decides
// which of its messages and records are lost, duplicated, late, reordered or unacknowledged. A party can be cut off and
// come back; the log can be damaged. The rates are probabilities.

import { performance } from 'node:perf_hooks';
import { LogConflict, Unacknowledged } from '../interface.js';
import { sha256Hex } from '../record.js';

/** @import { Cluster, LogRecord, RunLog } from '../interface.js' */

/**
 * @typedef {object} Faults
 * @property {number} [drop]  of a message
 * @property {number} [double]
 * @property {number} [delay]  of a message and of an append; late messages come out of order
 * @property {number} [longestDelayMs]  default: 5
 * @property {number} [cut]  of an append: no acknowledgement comes, whether it was added or not
 * @property {number} [clockRate]  speed of the party's clock; default: 1
 */

const usualMaxBytes = 1 << 20;

/** Random numbers from a seed. @param {number} seed */
const makeRandom = seed => {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** @param {string} pattern @param {string} subject */
const matches = (pattern, subject) => {
  const [wanted, parts] = [pattern.split('.'), subject.split('.')];
  return (
    wanted.length === parts.length && wanted.every((each, i) => each === '*' || each === parts[i])
  );
};

/** @param {{ seed?: number, maxBytes?: number }} [options] */
export const makeMemoryCluster = ({ seed = 1, maxBytes = usualMaxBytes } = {}) => {
  const random = makeRandom(seed);
  /** @type {LogRecord[] | undefined} */
  let records;
  /** @type {Map<string, Uint8Array>} */
  const blobs = new Map();
  /** @type {Set<{ pattern: string, party: Party, onMessage: Parameters<Cluster['subscribe']>[1] }>} */
  const subscriptions = new Set();
  /** @type {Set<{ party: Party, onHint: () => void }>} */
  const watchers = new Set();

  /** @typedef {{ name: string, faults: Faults, isCut: boolean, isClosed: boolean, timers: Set<NodeJS.Timeout> }} Party */

  /** Act now or later, unless the party is cut off by then. @param {Party} party @param {() => void} act */
  const after = (party, act) => {
    const { delay = 0, longestDelayMs = 5 } = party.faults;
    const ms = random() < delay ? random() * longestDelayMs : 0;
    const timer = setTimeout(() => {
      party.timers.delete(timer);
      if (!party.isCut && !party.isClosed) act();
    }, ms);
    party.timers.add(timer);
  };

  /** @param {Party} party @returns {RunLog} */
  const logOf = party => {
    const log = () => records ?? [];
    /** @param {number} ms */
    const pause = ms => new Promise(resolve => void setTimeout(resolve, ms));
    const reach = async () => {
      await pause(random() < (party.faults.delay ?? 0) ? random() * 5 : 0);
      if (party.isCut || party.isClosed) throw new Unacknowledged(`${party.name} is cut off`);
    };
    return Object.freeze({
      async append(bytes, last) {
        bytes.length <= maxBytes || insistFits(bytes.length, maxBytes);
        await reach();
        const { cut = 0 } = party.faults;
        const isCut = random() < cut;
        if (isCut && random() < 0.5) throw new Unacknowledged('the record was lost');
        const present = log().at(-1)?.seq ?? 0;
        if (present !== last) throw new LogConflict(`record ${last + 1} is there already`);
        log().push({ seq: last + 1, bytes: bytes.slice() });
        for (const each of watchers) after(each.party, each.onHint);
        if (isCut) throw new Unacknowledged('the acknowledgement was lost');
        return last + 1;
      },
      async last() {
        await reach();
        return log().at(-1)?.seq ?? 0;
      },
      async get(seq) {
        await reach();
        return log().find(each => each.seq === seq)?.bytes;
      },
      async *read(from) {
        await reach();
        for (const record of log().filter(({ seq }) => seq >= from)) yield record;
      },
      watch(onHint) {
        const watcher = { party, onHint };
        watchers.add(watcher);
        return () => void watchers.delete(watcher);
      },
    });
  };

  return Object.freeze({
    /** The records of the log, which tests read and damage. @returns {LogRecord[]} */
    get records() {
      records ??= [];
      return records;
    },

    /** The blobs by name, which tests read and damage. */
    blobs,

    /**
     * @param {string} name
     * @param {Faults} [faults]
     */
    connect(name, faults = {}) {
      /** @type {Party} */
      const party = { name, faults, isCut: false, isClosed: false, timers: new Set() };
      let stoppedMs = 0;
      const startMs = performance.now();

      /** @type {Cluster['publish']} */
      const publish = (subject, bytes) => {
        if (party.isCut || party.isClosed) return;
        bytes.length <= maxBytes || insistFits(bytes.length, maxBytes);
        send(subject, bytes.slice());
      };

      /** @param {string} subject @param {Uint8Array} bytes @param {(bytes: Uint8Array) => void} [reply] */
      const send = (subject, bytes, reply) => {
        const { drop = 0, double = 0 } = party.faults;
        for (const each of subscriptions) {
          if (!matches(each.pattern, subject)) continue;
          if (random() < drop) continue;
          const deliver = () =>
            subscriptions.has(each) && !each.party.isCut && each.onMessage(bytes, subject, reply);
          after(each.party, deliver);
          if (random() < double) after(each.party, deliver);
        }
      };

      /** @type {Cluster['subscribe']} */
      const subscribe = (pattern, onMessage) => {
        const subscription = { pattern, party, onMessage };
        subscriptions.add(subscription);
        return () => void subscriptions.delete(subscription);
      };

      /** @type {Cluster} */
      const cluster = {
        name: 'the cluster of this process',
        maxBytes,
        findLog: async () => (records === undefined ? undefined : logOf(party)),
        provideLog: async () => {
          records ??= [];
          return logOf(party);
        },
        async putBlob(bytes) {
          if (party.isCut || party.isClosed) throw new Unacknowledged(`${party.name} is cut off`);
          const name = sha256Hex(bytes);
          blobs.set(name, bytes.slice());
          return name;
        },
        async getBlob(name, length) {
          const blob = blobs.get(name);
          return blob === undefined || blob.length === length ? blob : new Uint8Array();
        },
        publish,
        subscribe,
        request(subject, bytes, timeoutMs) {
          return new Promise(resolve => {
            const timer = setTimeout(() => resolve(undefined), timeoutMs);
            send(subject, bytes.slice(), answer => {
              answer.length <= maxBytes || insistFits(answer.length, maxBytes);
              clearTimeout(timer);
              resolve(answer.slice());
            });
          });
        },
        nowMs: () => (performance.now() - startMs - stoppedMs) * (party.faults.clockRate ?? 1),
        ready: async () => {},
        async close() {
          party.isClosed = true;
          for (const timer of party.timers) clearTimeout(timer);
          for (const each of subscriptions) if (each.party === party) subscriptions.delete(each);
          for (const each of watchers) if (each.party === party) watchers.delete(each);
        },
      };
      return Object.freeze({
        ...cluster,
        party,
        /** Cut the party off in both directions, until `mend()`. */
        cutOff: () => {
          party.isCut = true;
        },
        mend: () => {
          party.isCut = false;
        },
        /** Set its clock back. @param {number} ms */
        holdClock: ms => {
          stoppedMs += ms;
        },
      });
    },
  });
};

/** @param {number} length @param {number} most */
const insistFits = (length, most) => {
  throw RangeError(`a message of ${length} bytes; at most ${most} are taken`);
};

/** @typedef {ReturnType<typeof makeMemoryCluster>} MemoryCluster */
