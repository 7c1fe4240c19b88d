// The checksums of the database. Every value is stored after a tag, the CRC-32 of the table's name, the key and the
// value together, so that a read finds bytes that were damaged or are under another key. The sum of all entries'
// digests is stored too, so that opening the database finds an entry that is missing or was replaced by an older one
// (check-database.js). This is against damage: an attacker who can write the files can forge them.

import zlib from 'node:zlib';

/** Bytes in front of each value. */
export const tagBytes = 4;

/** Digests are added modulo this, so that the next addition is exact in a double. */
const sumLimit = 2 ** 48;

/** Table for CRC-32 by bytes, which is faster than a call of zlib for a short text. */
const byteTable = (() => {
  const table = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    table[byte] = crc;
  }
  return table;
})();

/** Characters up to which a loop is faster than zlib. */
const shortText = 96;

/**
 * CRC-32 of a text's UTF-8, continuing from `crc`.
 *
 * @param {number} crc
 * @param {string} text
 */
const textDigest = (crc, text) => {
  const { length } = text;
  if (length > shortText) return zlib.crc32(text, crc);
  let mixed = ~crc;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) return zlib.crc32(text, crc);
    mixed = byteTable[(mixed ^ code) & 255] ^ (mixed >>> 8);
  }
  return ~mixed >>> 0;
};

/** The CRC-32 from which the digests of a table's keys continue. @param {string} table */
export const tableSeed = table => zlib.crc32(table);

/**
 * @param {number} seed  of the table
 * @param {string | Uint8Array} key
 */
export const keyDigest = (seed, key) =>
  typeof key === 'string' ? textDigest(seed, key) : zlib.crc32(key, seed);

/** The share of an entry in the sum. @param {number} key  its digest @param {number} tag */
export const entryDigest = (key, tag) => key * 0x101 + tag;

/** @param {number} sum @param {number} digest */
export const addDigest = (sum, digest) =>
  sum + digest < sumLimit ? sum + digest : sum + digest - sumLimit;

/** @param {number} sum @param {number} digest */
export const subtractDigest = (sum, digest) =>
  sum < digest ? sum - digest + sumLimit : sum - digest;

/**
 * The tag of a value. For an empty buffer zlib returns 0 or `key`, depending on its memory.
 *
 * @param {number} key
 * @param {Uint8Array} value
 */
const tagOf = (key, value) => (value.length === 0 ? key : zlib.crc32(value, key));

/**
 * A value after its tag.
 *
 * @param {number} key  digest of the key
 * @param {Uint8Array} value
 */
export const sealValue = (key, value) => {
  const sealed = Buffer.allocUnsafe(tagBytes + value.length);
  sealed.writeUInt32LE(tagOf(key, value), 0);
  sealed.set(value, tagBytes);
  return sealed;
};

/**
 * The UTF-8 of a string after its tag.
 *
 * @param {number} key  digest of the key
 * @param {string} text
 */
export const sealText = (key, text) => {
  const sealed = Buffer.allocUnsafe(tagBytes + Buffer.byteLength(text));
  sealed.write(text, tagBytes);
  sealed.writeUInt32LE(text === '' ? key : textDigest(key, text), 0);
  return sealed;
};

/**
 * @param {number} key  digest of the key
 * @param {Buffer} sealed
 * @returns {Buffer | undefined} the value; undefined if it is not what was written under the key
 */
export const openValue = (key, sealed) => {
  if (sealed.length < tagBytes) return undefined;
  const value = sealed.subarray(tagBytes);
  return tagOf(key, value) === sealed.readUInt32LE(0) ? value : undefined;
};

/**
 * `keyDigest` of the bytes from `start` to `end`.
 *
 * @param {number} seed
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
export const keyDigestAt = (seed, bytes, start, end) => {
  let crc = ~seed;
  for (let at = start; at < end; at += 1) crc = byteTable[(crc ^ bytes[at]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
};
