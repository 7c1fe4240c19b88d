// The keys of a table in order, for tables that are written all the time and read in order now and then. Changes are
// only noted; the next read sorts them in. The notes hold at most as many keys as were ever in the table at once: a key
// that comes and goes between two reads leaves none.

import { ChurnMap, compareTexts } from '#model';

/** Keys in a run, at most, so that an insertion moves few others. */
const runLimit = 512;

export const makeSortedKeys = () => {
  /** @type {string[][]} sorted runs in order, none empty */
  let runs = [];
  /** @type {ChurnMap<string, true>} not yet in a run */
  let added = new ChurnMap();
  /** @type {Set<string>} still in a run */
  const removed = new Set();

  /**
   * Index of the first run that ends at or after `key`; the number of runs if there is none.
   *
   * @param {string} key
   */
  const findRun = key => {
    let low = 0;
    let high = runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const run = runs[middle];
      if (compareTexts(run[run.length - 1], key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /**
   * Index of the first key in `run` that is not before `key`.
   *
   * @param {string[]} run
   * @param {string} key
   */
  const findIn = (run, key) => {
    let low = 0;
    let high = run.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareTexts(run[middle], key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /** @param {string} key */
  const putIn = key => {
    if (runs.length === 0) {
      runs.push([key]);
      return;
    }
    const at = Math.min(findRun(key), runs.length - 1);
    const run = runs[at];
    run.splice(findIn(run, key), 0, key);
    if (run.length > runLimit) runs.splice(at + 1, 0, run.splice(runLimit / 2));
  };

  /** @param {string} key */
  const takeOut = key => {
    const at = findRun(key);
    const run = runs[at];
    run.splice(findIn(run, key), 1);
    if (run.length === 0) runs.splice(at, 1);
  };

  const sortIn = () => {
    for (const key of removed) takeOut(key);
    removed.clear();
    // Many keys at once, as after opening a store, are sorted together; few are inserted one by one.
    if (added.size > 16 * (runs.length + 1)) {
      const all = runs.flat();
      for (const key of added.keys()) all.push(key);
      all.sort(compareTexts);
      runs = [];
      for (let at = 0; at < all.length; at += runLimit / 2) {
        runs.push(all.slice(at, at + runLimit / 2));
      }
    } else {
      for (const key of added.keys()) putIn(key);
    }
    added = new ChurnMap();
  };

  return Object.freeze({
    /** @param {string} key  not in the table until now */
    add(key) {
      if (!removed.delete(key)) added.set(key, true);
    },
    /** @param {string} key  in the table until now */
    remove(key) {
      if (!added.delete(key)) removed.add(key);
    },
    clear() {
      runs = [];
      added = new ChurnMap();
      removed.clear();
    },
    /**
     * Up to `limit` keys in order, from the smallest that is not before `start`.
     *
     * @param {string} start
     * @param {number} limit
     * @returns {string[]}
     */
    from(start, limit) {
      if (added.size > 0 || removed.size > 0) sortIn();
      /** @type {string[]} */
      const found = [];
      let at = findRun(start);
      if (at === runs.length) return found;
      let i = findIn(runs[at], start);
      for (; at < runs.length && found.length < limit; at += 1, i = 0) {
        const run = runs[at];
        for (; i < run.length && found.length < limit; i += 1) found.push(run[i]);
      }
      return found;
    },
  });
};

/** @typedef {ReturnType<typeof makeSortedKeys>} SortedKeys */
