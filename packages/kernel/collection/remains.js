// The entries that ended vats left, as lists from which clean-up deletes piece by piece. The lists are made when they
// are needed and hold nothing that the tables lack, so a resumed run makes them again. A dropped crank restores the
// entries that it deleted.

/** @import { Leftover } from '../lifecycle/cleanup-budget.js' */
/** @import { Journal } from '../tables/journal.js' */

export class Remains {
  #journal;

  /** The number of entries that the last step deleted, by kind. @type {Record<Leftover, number>} */
  work = { exports: 0, imports: 0, promises: 0, kv: 0, snapshots: 0, transcripts: 0 };

  /** @type {Map<string, { list: string[], at: number }>} */
  #lists = new Map();

  /** @type {Map<string, string>} */
  #places = new Map();

  /** @param {Journal} journal */
  constructor(journal) {
    this.#journal = journal;
  }

  /**
   * The next names of a list.
   *
   * @param {string} name  of the list
   * @param {number} limit
   * @param {() => string[]} make  lists everything that is there now
   * @returns {string[]} at most `limit`; fewer when the list is at its end
   */
  take(name, limit, make) {
    const known = this.#lists.get(name);
    const { list, at } = known ?? { list: make(), at: 0 };
    const taken = list.slice(at, at + limit);
    const next = { list, at: at + taken.length };
    setOrDelete(this.#lists, name, next.at === list.length ? undefined : next);
    this.#journal.note({ undo: () => setOrDelete(this.#lists, name, known) });
    return taken;
  }

  /**
   * How far an ordered list has been processed; the empty string at its beginning.
   *
   * @param {string} name
   */
  place(name) {
    return this.#places.get(name) ?? '';
  }

  /**
   * @param {string} name
   * @param {string | undefined} place  undefined at its end
   */
  setPlace(name, place) {
    const before = this.#places.get(name);
    setOrDelete(this.#places, name, place);
    this.#journal.note({ undo: () => setOrDelete(this.#places, name, before) });
  }
}

/**
 * @template V
 * @param {Map<string, V>} map
 * @param {string} key
 * @param {V | undefined} value  undefined deletes it
 */
const setOrDelete = (map, key, value) => {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
};
