// The contents of a store in one canonical form, for comparing two runs. Keys and streams whose names start with
// `local.` are left out, since they may differ between equal runs.

import { createHash } from 'node:crypto';

/** @import { Store } from './store.js' */

const localPrefix = 'local.';

/** Whether a key or stream may differ between equal runs. @param {string} name  of a key or stream */
export const isLocal = name => name.startsWith(localPrefix);

/**
 * @typedef {object} StoreContents
 * @property {[key: string, value: Uint8Array][]} entries  in key order
 * @property {[name: string, bytes: Uint8Array][]} streams  in order of names
 */

/**
 * @param {Store} store
 * @returns {StoreContents}
 */
export const storeContents = store => ({
  entries: [...store.entries('')]
    .filter(([key]) => !isLocal(key))
    .map(([key]) => [key, Buffer.from(store.getBytes(key) ?? [])]),
  streams: store
    .streamNames()
    .filter(name => !isLocal(name))
    .map(name => [name, Buffer.from(store.readStream(name))]),
});

/**
 * SHA-256, in hexadecimal digits, of the contents: every key, value, name and stream with its length in bytes
 * before it, entries and streams counted.
 *
 * @param {Store} store
 */
export const storeDigest = store => {
  const { entries, streams } = storeContents(store);
  const hash = createHash('sha256');
  for (const list of [entries, streams]) {
    hash.update(`${list.length}\n`);
    for (const [name, bytes] of list) {
      hash.update(`${Buffer.byteLength(name)} ${bytes.length}\n${name}`);
      hash.update(bytes);
    }
  }
  return hash.digest('hex');
};

/**
 * Reads everything, so that damage is reported.
 *
 * @param {Store} store
 * @returns {number} bytes
 * @throws {UserError}
 */
export const readAll = store => {
  let bytes = 0;
  for (const [key] of store.entries('')) bytes += store.getBytes(key)?.length ?? 0;
  for (const name of store.streamNames())
    for (const chunk of store.streamChunks(name)) bytes += chunk.length;
  return bytes;
};
