// The overlay of a crank. Tables are changed in place, and every change is noted here with what was there
// before; keeping the crank forgets the notes, dropping it undoes them from last to first. That is the same
// as writing into an overlay that is kept or dropped whole, and costs nothing where a crank is kept, which is
// nearly always.
//
// Each table also remembers which keys changed since the last commit, so that a block writes only those.

/** @import { Batch, StoreReader } from './store-interface.js' */

/**
 * A record that is changed in place. The first change in a crank saves a copy (`Table.touch`).
 *
 * @typedef {{ epoch: number }} Row
 */

/**
 * @typedef {object} Undoable
 * @property {(key: string, before: any) => void} restore
 */

export class Journal {
  constructor() {
    /** Grows by one with each crank, so that a row knows whether it was saved in this one. */
    this.epoch = 1;
    /** @type {Note[]} one more object a change is cheaper than three parallel arrays: `push` is quick */
    this.notes = [];
  }

  /**
   * @param {Undoable} table
   * @param {string} key
   * @param {any} before  what `restore` needs to bring the key back
   */
  note(table, key, before) {
    this.notes.push(new Note(table, key, before));
  }

  /** Keep everything since the last keep or drop. */
  keep() {
    this.notes = [];
    this.epoch += 1;
  }

  /** Undo everything since the last keep or drop. */
  drop() {
    for (let at = this.notes.length - 1; at >= 0; at -= 1) this.notes[at].undo();
    this.keep();
  }
}

/** One change of one key. */
class Note {
  /**
   * @param {Undoable} table
   * @param {string} key
   * @param {any} before
   */
  constructor(table, key, before) {
    this.table = table;
    this.key = key;
    this.before = before;
  }

  undo() {
    this.table.restore(this.key, this.before);
  }
}

/**
 * How the values of a table are written to the store. `undefined` for a table that can be rebuilt from others.
 *
 * @template V
 * @typedef {{ prefix: string, format: (value: V) => string, parse: (text: string, key: string) => V }} Codec
 */

/**
 * A map that takes part in cranks and blocks.
 *
 * @template V
 */
export class Table {
  /** @type {Map<string, V>} */
  #map = new Map();

  /** @type {Map<string, boolean>} changed key → whether the store has it */
  #dirty = new Map();

  #journal;

  #codec;

  /**
   * @param {Journal} journal
   * @param {Codec<V>} [codec]
   */
  constructor(journal, codec) {
    this.#journal = journal;
    this.#codec = codec;
  }

  get size() {
    return this.#map.size;
  }

  /** @param {string} key */
  get(key) {
    return this.#map.get(key);
  }

  /** @param {string} key */
  has(key) {
    return this.#map.has(key);
  }

  /** Keys in the order of insertion, which may differ after a dropped crank: sort where order shows. */
  keys() {
    return this.#map.keys();
  }

  entries() {
    return this.#map.entries();
  }

  /**
   * @param {string} key
   * @param {V} value
   */
  set(key, value) {
    const before = this.#map.get(key);
    this.#journal.note(this, key, before);
    if (this.#codec && !this.#dirty.has(key)) this.#dirty.set(key, before !== undefined);
    this.#map.set(key, value);
  }

  /** @param {string} key */
  delete(key) {
    const before = this.#map.get(key);
    if (before === undefined) return;
    this.#journal.note(this, key, before);
    if (this.#codec && !this.#dirty.has(key)) this.#dirty.set(key, true);
    this.#map.delete(key);
  }

  /**
   * The journal's way back.
   *
   * @param {string} key
   * @param {V | undefined | { saved: object }} before
   */
  restore(key, before) {
    if (before instanceof Saved) {
      Object.assign(before.row, before.copy);
    } else if (before === undefined) {
      this.#map.delete(key);
    } else {
      this.#map.set(key, /** @type {V} */ (before));
    }
  }

  /**
   * Announce that a row is about to be changed in place. Arrays inside a row are replaced, never changed.
   *
   * @param {string} key
   * @param {V & Row} row  the row at `key`
   */
  touch(key, row) {
    const { epoch } = this.#journal;
    if (row.epoch === epoch) return;
    this.#journal.note(this, key, new Saved(row, { ...row }));
    row.epoch = epoch;
    if (!this.#dirty.has(key)) this.#dirty.set(key, true);
  }

  /**
   * Add what changed since the last commit to a block's batch.
   *
   * @param {Batch['puts']} puts
   */
  collect(puts) {
    if (!this.#codec || this.#dirty.size === 0) return;
    const { prefix, format } = this.#codec;
    for (const [key, stored] of this.#dirty) {
      const value = this.#map.get(key);
      if (value !== undefined) puts.set(prefix + key, format(value));
      else if (stored) puts.set(prefix + key, undefined);
    }
    this.#dirty.clear();
  }

  /**
   * Fill an empty table from the store.
   *
   * @param {StoreReader} store
   */
  load(store) {
    if (!this.#codec) return;
    const { prefix, parse } = this.#codec;
    for (const [full, text] of store.entries(prefix)) {
      const key = full.slice(prefix.length);
      this.#map.set(key, parse(text, key));
    }
  }
}

/** A row as it was at the start of the crank. */
class Saved {
  /**
   * @param {object} row
   * @param {object} copy
   */
  constructor(row, copy) {
    this.row = row;
    this.copy = copy;
  }
}
