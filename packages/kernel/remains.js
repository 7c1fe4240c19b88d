// What ended vats left, as lists that are worked off piece by piece. They are made when they are needed and hold
// nothing that the tables do not have: after a dropped crank or a resume they are made anew.

export class Remains {
  /** @type {Map<string, { list: string[], at: number }>} */
  #lists = new Map();

  /** @type {Map<string, string>} */
  #places = new Map();

  /**
   * The next names of a list.
   *
   * @param {string} name  of the list
   * @param {number} limit
   * @param {() => string[]} make  lists everything that is there now
   * @returns {string[]} at most `limit`; fewer when the list is at its end
   */
  take(name, limit, make) {
    const known = this.#lists.get(name) ?? { list: make(), at: 0 };
    const taken = known.list.slice(known.at, known.at + limit);
    known.at += taken.length;
    if (known.at === known.list.length) this.#lists.delete(name);
    else this.#lists.set(name, known);
    return taken;
  }

  /**
   * How far something ordered has been worked off; the empty text at its beginning.
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
    if (place === undefined) this.#places.delete(name);
    else this.#places.set(name, place);
  }

  /** Forget all of it: something that was worked off is there again. */
  clear() {
    if (this.#lists.size > 0) this.#lists.clear();
    if (this.#places.size > 0) this.#places.clear();
  }
}
