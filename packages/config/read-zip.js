// Reads a ZIP archive of stored or deflated files, as `@endo/bundle-source` makes it. The archive is untrusted: its
// size is bounded, and each file must have the length and the checksum that its directory states.

import { crc32, inflateRawSync } from 'node:zlib';
import { quote, UserError } from '#model';

/** Bound on the unpacked bytes of all files together. */
const maxBytes = 64 * 2 ** 20;

const maxFiles = 20_000;

const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 };

/** Bytes of the fixed part of each record. */
const sizes = { end: 22, central: 46, local: 30 };

/** Most bytes of the comment that follows the end record. */
const maxComment = 0xffff;

/** @param {Buffer} zip */
const findEnd = zip => {
  const first = Math.max(0, zip.length - sizes.end - maxComment);
  for (let at = zip.length - sizes.end; at >= first; at -= 1)
    if (zip.readUInt32LE(at) === signatures.end) return at;
  return -1;
};

/**
 * @param {Buffer} zip
 * @param {string} what  names the archive in messages
 * @returns {Map<string, Buffer>} contents by name
 * @throws {UserError} if it is not a ZIP archive, is damaged, or exceeds `maxFiles` or `maxBytes`
 */
export const readZip = (zip, what) => {
  /** @param {string} problem @returns {never} */
  const fail = problem => {
    throw new UserError(`${what} is a damaged archive: ${problem}`);
  };
  const end = findEnd(zip);
  if (end < 0) return fail('it has no end record of ZIP');
  const count = zip.readUInt16LE(end + 10);
  if (count > maxFiles) fail(`it has ${count} files; at most ${maxFiles} are read`);
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  let total = 0;
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < count; i += 1) {
    if (at + sizes.central > end || zip.readUInt32LE(at) !== signatures.central)
      fail(`its directory ends at file ${i} of ${count}`);
    const nameLength = zip.readUInt16LE(at + 28);
    const next =
      at + sizes.central + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    const name = zip.toString('utf8', at + sizes.central, at + sizes.central + nameLength);
    const size = zip.readUInt32LE(at + 24);
    total += size;
    if (total > maxBytes) fail(`its files have more than ${maxBytes} bytes`);
    if (files.has(name)) fail(`it has ${quote(name)} twice`);
    const content = readFile(zip, at, size);
    if (typeof content === 'string') return fail(`${quote(name)} ${content}`);
    if (crc32(content) !== zip.readUInt32LE(at + 16))
      fail(`${quote(name)} does not have the checksum in its directory`);
    files.set(name, content);
    at = next;
  }
  return files;
};

/**
 * @param {Buffer} zip
 * @param {number} at  the file's record in the directory
 * @param {number} size  in bytes, unpacked
 * @returns {Buffer | string} the content, or the problem as a string
 */
const readFile = (zip, at, size) => {
  const method = zip.readUInt16LE(at + 10);
  const packed = zip.readUInt32LE(at + 20);
  const local = zip.readUInt32LE(at + 42);
  if (local + sizes.local > zip.length || zip.readUInt32LE(local) !== signatures.local)
    return 'is not where the directory says';
  const from = local + sizes.local + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (from + packed > zip.length) return 'is cut off';
  const bytes = zip.subarray(from, from + packed);
  if (method === 0) return packed === size ? bytes : 'is stored with another length';
  if (method !== 8) return `is packed by method ${method}; stored and deflated files are read`;
  try {
    const unpacked = inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) });
    return unpacked.length === size ? unpacked : 'has another length than the archive says';
  } catch {
    return 'cannot be unpacked';
  }
};
