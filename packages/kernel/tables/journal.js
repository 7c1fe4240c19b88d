// The undo log of a crank. Tables are changed in place, and each change is noted here with the former value. Keeping
// the crank discards the notes; dropping it undoes them from last to first. The effect is that of an overlay that is
// kept or dropped whole, but nearly free for a kept crank, which is the usual case.
//
// Each table also knows which of its entries changed since the last commit, so that a block writes only those.

import { ChurnMap, keepShape, RefMap } from '#model';
import { parseFields, readRow } from './row-fields.js';

/** @import { Batch, StoreReader } from '../store-interface.js' */
/** @import { Forms } from '#model' */

/**
 * A change that can be taken back.
 *
 * @typedef {{ undo: () => void }} Note
 */

export class Journal {
  constructor() {
    /** Grows by one with each crank, so that a row can tell whether it was saved in this one. */
    this.epoch = 1;
    /** @type {Note[]} */
    this.notes = [];
    /** The number of dropped cranks. */
    this.drops = 0;
    /** Whether changes will not be undone, so that no notes are needed. */
    this.isCertain = false;
  }

  /** @param {Note} note */
  note(note) {
    this.notes.push(note);
  }

  /** Keep everything since the last keep or drop. */
  keep() {
    if (this.notes.length > 0) this.notes = [];
    this.epoch += 1;
  }

  /** Undo everything since the last keep or drop. */
  drop() {
    for (let at = this.notes.length - 1; at >= 0; at -= 1) this.notes[at].undo();
    this.drops += 1;
    this.keep();
  }
}

/**
 * A record that is changed in place. The first change in a crank saves a copy (`Table.touch`).
 */
export class Row {
  /** The crank that saved a copy last. */
  epoch = 0;

  /** @type {Cell<any> | undefined} the table's cell of the row */
  cell = undefined;

  /**
   * Returns a note that restores the row to its present state. Rows that change in every crank override this for speed.
   *
   * @returns {Note}
   */
  save() {
    const saved = { ...this };
    return { undo: () => void Object.assign(this, saved) };
  }
}

/**
 * One key of a table. A deleted key keeps its cell, empty, until the block is written, so that each change is one
 * look-up and the store gets only deletions of keys that it has.
 *
 * @template V
 */
class Cell {
  /** Changed since the last commit. */
  isDirty = false;

  /** Whether the store has the key. */
  isStored = false;

  /**
   * @param {string} key
   * @param {V | undefined} value
   */
  constructor(key, value) {
    this.key = key;
    this.value = value;
  }
}

/**
 * The former value of a cell.
 *
 * @implements {Note}
 */
class CellNote {
  /**
   * @param {Table<any>} table
   * @param {Cell<any>} cell
   */
  constructor(table, cell) {
    this.table = table;
    this.cell = cell;
    this.before = cell.value;
  }

  undo() {
    this.table.restore(this.cell, this.before);
  }
}

keepShape(new CellNote(/** @type {any} */ ({}), new Cell('', undefined)));

/**
 * How the values of a table are written to the store. A table without one can be rebuilt from others.
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
  /** @type {ChurnMap<string, Cell<V>> | RefMap<Cell<V>>} */
  #cells;

  /** @type {Cell<V>[]} */
  #dirty = [];

  #size = 0;

  /** The last key looked up, cached, since a crank uses few rows. */
  #lastKey = '';

  /** @type {Cell<V> | undefined} */
  #lastCell;

  #journal;

  #codec;

  /**
   * @param {Journal} journal
   * @param {Codec<V>} [codec]
   * @param {'kref'} [form]  of the keys, if they all are
   */
  constructor(journal, codec, form) {
    this.#journal = journal;
    this.#codec = codec;
    this.#cells = form === undefined ? new ChurnMap() : new RefMap(form);
  }

  get size() {
    return this.#size;
  }

  /** @param {string} key */
  get(key) {
    return this.#findCell(key)?.value;
  }

  /** @param {string} key */
  #findCell(key) {
    if (key === this.#lastKey && this.#lastCell !== undefined) return this.#lastCell;
    const cell = this.#cells.get(key);
    if (cell === undefined) return undefined;
    this.#lastKey = key;
    this.#lastCell = cell;
    return cell;
  }

  /** @param {string} key */
  has(key) {
    return this.get(key) !== undefined;
  }

  /** Keys in the order of krefs, or of insertion, which a dropped crank may change: sort where the order shows. */
  *keys() {
    for (const [key] of this.entries()) yield key;
  }

  /** @returns {Generator<[string, V]>} */
  *entries() {
    for (const cell of this.#cells.values())
      if (cell.value !== undefined) yield [cell.key, cell.value];
  }

  /** All rows as a commit would write them, for dumps and audits. @returns {Generator<[key: string, text: string]>} */
  *written() {
    const codec = this.#codec;
    if (codec === undefined) return;
    for (const [key, value] of this.entries()) yield [codec.prefix + key, codec.format(value)];
  }

  /**
   * @param {string} key
   * @param {V} value  not undefined
   */
  set(key, value) {
    const cell = this.#provideCell(key);
    const { isCertain, epoch } = this.#journal;
    if (!isCertain) this.#journal.note(new CellNote(this, cell));
    this.#change(cell, value);
    if (value instanceof Row) {
      value.cell = cell;
      // The note has the cell's former value, so a new row needs no copy in the crank that makes it.
      if (!isCertain) value.epoch = epoch;
    }
  }

  /**
   * @param {string} key
   * @returns {Cell<V>}
   */
  #provideCell(key) {
    const known = this.#findCell(key);
    if (known !== undefined) return known;
    const cell = /** @type {Cell<V>} */ (new Cell(key, undefined));
    this.#cells.set(key, cell);
    this.#lastKey = key;
    this.#lastCell = cell;
    return cell;
  }

  /** @param {string} key */
  delete(key) {
    const cell = this.#findCell(key);
    if (cell !== undefined && cell.value !== undefined) this.#empty(cell);
  }

  /** @param {V & Row} row  that is in the table */
  deleteRow(row) {
    this.#empty(/** @type {Cell<V>} */ (row.cell));
  }

  /** @param {Cell<V>} cell */
  #empty(cell) {
    if (!this.#journal.isCertain) this.#journal.note(new CellNote(this, cell));
    this.#change(cell, undefined);
  }

  /**
   * Restores a cell. For the journal.
   *
   * @param {Cell<V>} cell
   * @param {V | undefined} before
   */
  restore(cell, before) {
    this.#change(cell, before);
  }

  /**
   * @param {Cell<V>} cell
   * @param {V | undefined} value
   */
  #change(cell, value) {
    if (cell.value === undefined) this.#size += 1;
    if (value === undefined) this.#size -= 1;
    cell.value = value;
    this.#soil(cell);
  }

  /** @param {Cell<V>} cell */
  #soil(cell) {
    if (cell.isDirty) return;
    cell.isDirty = true;
    // In many tables one row changes in a block, and a list that grows from empty reserves 17 elements.
    if (this.#dirty.length === 0) this.#dirty = [cell];
    else this.#dirty.push(cell);
  }

  /**
   * Announce that a row of this table is about to be changed in place. Arrays inside a row are replaced, never
   * changed.
   *
   * @param {V & Row} row
   */
  touch(row) {
    const { epoch, isCertain } = this.#journal;
    if (row.epoch === epoch) return;
    if (!isCertain) {
      this.#journal.note(row.save());
      row.epoch = epoch;
    }
    this.#soil(/** @type {Cell<V>} */ (row.cell));
  }

  /** Whether anything changed since the last commit. */
  get isDirty() {
    return this.#dirty.length > 0;
  }

  /**
   * Add what changed since the last commit to a block's batch.
   *
   * @param {Batch['puts']} puts
   */
  collect(puts) {
    const dirty = this.#dirty;
    if (dirty.length === 0) return;
    this.#lastCell = undefined;
    const codec = this.#codec;
    for (let i = 0; i < dirty.length; i += 1) {
      const cell = dirty[i];
      const { key, value } = cell;
      cell.isDirty = false;
      if (value === undefined) this.#cells.delete(key);
      if (codec === undefined) continue;
      if (value !== undefined) puts.set(codec.prefix + key, codec.format(value));
      else if (cell.isStored) puts.set(codec.prefix + key, undefined);
      cell.isStored = value !== undefined;
    }
    this.#dirty = [];
  }

  /**
   * Fill an empty table from the store.
   *
   * @param {StoreReader} store
   * @throws {Error} a row cannot be read; the text names it
   */
  load(store) {
    if (!this.#codec) return;
    const { prefix, parse } = this.#codec;
    for (const [full, text] of store.entries(prefix)) {
      const key = full.slice(prefix.length);
      const value = readRow(full, () => parse(text, key));
      const cell = new Cell(key, /** @type {V | undefined} */ (value));
      cell.isStored = true;
      if (value instanceof Row) value.cell = cell;
      this.#cells.set(key, cell);
      this.#size += 1;
    }
  }
}

/**
 * The codec of rows kept as JSON: all fields but the table's own.
 *
 * @template {Row} R
 * @param {string} prefix
 * @param {Forms} forms  of the fields
 * @param {(fields: any) => R} make
 * @returns {Codec<R>}
 */
export const rowsAsJson = (prefix, forms, make) => ({
  prefix,
  format: ({ epoch: _epoch, cell: _cell, ...fields }) => JSON.stringify(fields),
  parse: text => make(parseFields(text, forms)),
});
