// Rehearses rare work of cranks. The engine optimises code for the branches that have run. The first collections in
// vats come some 10,000 deliveries into a run; without a rehearsal, the engine then discards the optimised code of most
// functions of a crank and compiles them again, which takes as much processor time as 40 rounds of `demos/exchange`. So
// a small kernel with two vats does such work early, in the same functions, before most of them are optimised. It has
// its own state, and does not affect the run.

import { makeKernel } from '#kernel';
import { RefMap } from '#model';
import { makeMemoryStore } from '#store';
import { E, Far, makeWeakCollections } from '#vat';
import { makeLocalTransport } from '../vats/local-transport.js';
import { makeSupervisor } from '../vats/vats.js';
import { WorkBoard } from './work-board.js';

/** @import { Kernel } from '#kernel' */
/** @import { Collected, Collector } from '#vat' */
/** @import { Drain } from './drain-jobs.js' */

/** Cranks of the run before the rehearsal: by then the engine collects type feedback for all important functions. */
export const cranksBefore = 100;

/**
 * The fewest objects that a run has when it rehearses. One that has no more than a few vats and devices drops nothing: it would
 * pay for branches that it hardly uses. It is looked at again later.
 */
export const objectsBefore = 30;

/** Cranks until a run with fewer objects is looked at again. */
export const cranksBetween = 1_000;

/** Messages from the host. */
const rounds = 4;

/** Deliveries to a vat between its collections: some of them find dead references, some find none. */
const reapInterval = 5;

/** Objects in a long list: more than the kernel and its tables search linearly or have reserved room for. */
const many = 70;

/** Longer than the strings that are encoded in place. */
const text = 'a long text '.repeat(400);

const ignore = () => {};

/**
 * Make a collector whose dead objects are those in `dead`; the engine collects nothing.
 *
 * @param {WeakSet<object>} dead
 * @returns {Collector}
 */
const makeRehearsedCollector = dead => {
  /** @type {Collected | undefined} */
  let own;
  return {
    WeakRef: class {
      /** @param {object} value */
      constructor(value) {
        this.value = value;
      }

      deref() {
        return dead.has(this.value) ? undefined : this.value;
      }
    },
    watch(table) {
      own = table;
    },
    collect() {
      own?.beginCollection();
      own?.endCollection();
    },
  };
};

/**
 * Make the root objects of two vats, which pass each other objects and drop them.
 *
 * @param {WeakSet<object>} dead
 */
const makeRoots = dead => {
  const { WeakSet: VatWeakSet } = makeWeakCollections();
  const known = new VatWeakSet();

  const dealer = () => {
    /** @type {any} */
    let taker;
    /** @param {number} number */
    const makeCard = number => Far('card', { look: () => number });
    return Far('dealer', {
      /** @param {Record<string, unknown>} vats */
      bootstrap(vats) {
        taker = vats.taker;
      },
      /** @param {number} round */
      async deal(round) {
        const cards = Array.from({ length: round % 2 === 0 ? 1 : many }, (_, i) => makeCard(i));
        const stub = await E(taker).take(cards, { round, text });
        await E(stub).refuse().catch(ignore);
        for (const one of [stub, ...cards]) dead.add(one);
        return taker;
      },
      rest: ignore,
    });
  };

  const taker = () =>
    Far('taker', {
      /** @param {any[]} cards @param {{ round: number }} about */
      take(cards, about) {
        // Some stay recognisable when they are no longer reachable.
        for (const card of cards.slice(1)) known.add(card);
        E(cards[0]).look().then(ignore);
        for (const card of cards) dead.add(card);
        const stub = Far('stub', {
          refuse() {
            dead.add(stub);
            throw Error(`no stub of round ${about.round}`);
          },
        });
        return stub;
      },
    });

  return { dealer, taker };
};

/** Uses numbers so far apart that a table finds their pages by a Map. */
const rehearseTables = () => {
  const table = new RefMap('kref');
  const krefs = ['ko1', 'ko513'];
  for (let round = 0; round < many; round += 1) {
    for (const kref of krefs) table.set(kref, kref);
    for (const kref of krefs) table.get(kref);
    if (round % 2 === 0) for (const kref of krefs) table.delete(kref);
  }
};
// Each reference is looked up so often that this must come before the first crank.
rehearseTables();

/**
 * Rehearse once; a few ms. To be called between cranks, in a macrotask, without promise hooks.
 *
 * @param {object} powers
 * @param {(bytes: Uint8Array) => Uint8Array} powers.sha256
 * @param {Drain} powers.drain  of the kind `tickCallback`
 * @returns {{ kernel: Kernel, faults: string[] }} for tests
 */
export const rehearse = ({ sha256, drain }) => {
  /** @type {string[]} */
  const faults = [];
  const kernel = makeKernel('current', {
    store: makeMemoryStore(),
    sha256,
    onVatFault: (_vatId, problem) => faults.push(problem),
  });
  /** @type {WeakSet<object>} */
  const dead = new WeakSet();
  const roots = makeRoots(dead);
  kernel.initialise({
    vats: Object.keys(roots).map(name => ({
      name,
      source: '',
      parameters: `${kernel.profile.wire.start}{}`,
      isBuiltIn: true,
      pipelining: false,
      options: { reapInterval },
    })),
    devices: [],
    bootstrap: 'dealer',
  });
  const running = { vatName: undefined, delivery: undefined, cranks: 0, board: new WorkBoard() };
  for (const [name, buildRoot] of Object.entries(roots)) {
    const vatId = kernel.findVat(name) ?? '';
    const supervisor = makeSupervisor({
      ...{ vatId, name, profile: kernel.profile, prepared: undefined, sourceUrls: {} },
      builtIn: { buildRoot },
      observer: { onConsole: ignore, onTestLog: ignore, onVatError: ignore },
      collector: makeRehearsedCollector(dead),
      onRoot: ignore,
    });
    const place = { vatName: name, supervisor, drain, running, onError: ignore };
    kernel.attachVat(vatId, makeLocalTransport(place));
  }
  const dealer = kernel.findVat('dealer') ?? '';
  kernel.pump(Infinity);
  /** @param {string} method @param {number} round */
  const send = (method, round) => {
    const body = `${kernel.profile.wire.start}["${method}",[${round}]]`;
    kernel.release(kernel.queueToVatRoot(dealer, { body, slots: [] }));
  };
  for (let round = 0; round < rounds; round += 1) {
    send('deal', round);
    kernel.pump(Infinity);
    // This leads to a collection without dead references.
    for (let i = 0; i < reapInterval; i += 1) send('rest', round);
    kernel.pump(Infinity);
    kernel.commit();
  }
  return { kernel, faults };
};
