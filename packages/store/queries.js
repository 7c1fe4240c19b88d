// Queries of a database with an overlay: values, and keys in order, from both.

import { compareTexts } from '#model';
import { firstCandidate } from './keys.js';
import { asBytes, asText } from './values.js';

/** @import { makeOverlay } from './overlay.js' */
/** @import { DatabaseReader } from './database-reader.js' */

/** Keys fetched at a time when iterating. */
const pageKeys = 256;

/**
 * @param {DatabaseReader} database
 * @param {ReturnType<typeof makeOverlay>} overlay
 */
export const makeQueries = (database, overlay) => {
  /**
   * Keys of both, in order, as far as both were read: `next` is where to go on, undefined at the end.
   *
   * @param {string} start
   * @param {number} limit
   */
  const keysFrom = (start, limit) => {
    const below = database.keysFrom(start, limit);
    const above = overlay.keysFrom(start, limit);
    /** @type {string[]} */
    const keys = [];
    let i = 0;
    let j = 0;
    for (;;) {
      // After a full page, further keys of the database are unknown.
      if (i === below.length && below.length === limit) break;
      if (j === above.length && above.length === limit) break;
      if (i === below.length && j === above.length) return { keys, next: undefined };
      const order =
        i === below.length ? 1 : j === above.length ? -1 : compareTexts(below[i], above[j]);
      const key = order <= 0 ? below[i] : above[j];
      if (order <= 0) i += 1;
      if (order >= 0) j += 1;
      if (order < 0 || !overlay.isDeleted(key)) keys.push(key);
    }
    const last = i === below.length && below.length === limit ? below[limit - 1] : above[limit - 1];
    return { keys, next: `${last}\0` };
  };

  /** @param {string} prefix */
  function* entries(prefix) {
    /** @type {string | undefined} */
    let start = prefix;
    while (start !== undefined) {
      const { keys, next } = keysFrom(start, pageKeys);
      for (const key of keys) {
        if (!key.startsWith(prefix)) return;
        const value = asText(overlay.get(key));
        if (value !== undefined) yield /** @type {[string, string]} */ ([key, value]);
      }
      start = next;
    }
  }

  /**
   * @param {string} prior
   * @param {string} prefix
   */
  const nextKey = (prior, prefix) => {
    /** @type {string | undefined} */
    let start = firstCandidate(prior, prefix);
    // Deleted keys may fill the first pages, so pages grow.
    for (let limit = 4; start !== undefined; limit = Math.min(limit * 4, pageKeys)) {
      const { keys, next } = keysFrom(start, limit);
      if (keys.length > 0) return keys[0].startsWith(prefix) ? keys[0] : undefined;
      start = next;
    }
    return undefined;
  };

  return Object.freeze({
    get: (/** @type {string} */ key) => asText(overlay.get(key)),
    // A copy, since the next block may write over them.
    getBytes: (/** @type {string} */ key) => asBytes(overlay.get(key))?.slice(),
    entries,
    nextKey,
  });
};
