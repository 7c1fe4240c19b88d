// Writes archives like those of `@endo/bundle-source`, with any content.

import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';

export const sha512 = (/** @type {string | Uint8Array} */ content) =>
  createHash('sha512').update(content).digest('hex');

/** CRC-32 by its definition, independent of the reader's. @param {Buffer} bytes */
const checksum = bytes => {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
};

/**
 * @param {Record<string, string>} files
 * @param {{ deflates?: boolean }} [options]
 * @returns {Buffer} a ZIP archive
 */
export const makeZip = (files, { deflates = false } = {}) => {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = deflates ? zlib.deflateRawSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(deflates ? 8 : 0, 4);
    shared.writeUInt32LE(checksum(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\0\0'), shared, rest, Buffer.from(name));
    parts.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
};

/**
 * @param {Record<string, any>} modules  of the one package `mine`, by specifier: `text` and `parser`, or a link
 * @param {{ deflates?: boolean, entry?: string, others?: Record<string, object>, extra?: Record<string, string> }} [options]
 */
export const makeArchive = (modules, { deflates, entry = './vat.js', others = {}, extra } = {}) => {
  /** @type {Record<string, string>} */
  const files = {};
  const listed = Object.fromEntries(
    Object.entries(modules).map(([specifier, { text, parser = 'mjs', ...link }]) => {
      if (text === undefined) return [specifier, { parser, ...link }];
      const location = specifier.replace(/^\.\//, '');
      files[`mine/${location}`] = text;
      return [specifier, { location, parser, sha512: sha512(text), ...link }];
    }),
  );
  const map = JSON.stringify({
    tags: [],
    entry: { compartment: 'mine', module: entry },
    compartments: { mine: { name: 'mine', location: 'mine', modules: listed }, ...others },
  });
  const zip = makeZip({ 'compartment-map.json': map, ...files, ...extra }, { deflates });
  return {
    moduleFormat: 'endoZipBase64',
    endoZipBase64: zip.toString('base64'),
    endoZipBase64Sha512: sha512(map),
  };
};
