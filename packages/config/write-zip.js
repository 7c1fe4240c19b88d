// Writes a ZIP archive of stored files, as `@endo/bundle-source` does: without times, so equal files make equal archives.

import { crc32 } from 'node:zlib';

const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 };

/** Bytes of the fixed part of each record. */
const sizes = { end: 22, central: 46, local: 30 };

/** Version 1.0 of the format suffices to read stored files. */
const version = 10;

/** The earliest date that the format can tell: 1 January 1980. */
const noDate = 0x21;

/**
 * The fields that the record of a file and its entry in the directory share.
 *
 * @param {Buffer} record  written to
 * @param {number} at  where the fields begin
 * @param {Buffer} name
 * @param {Buffer} content
 */
const writeShared = (record, at, name, content) => {
  record.writeUInt16LE(version, at);
  record.writeUInt16LE(noDate, at + 8);
  record.writeUInt32LE(crc32(content), at + 10);
  record.writeUInt32LE(content.length, at + 14);
  record.writeUInt32LE(content.length, at + 18);
  record.writeUInt16LE(name.length, at + 22);
};

/**
 * @param {ReadonlyMap<string, string>} files  contents by name, at most 65,535
 * @returns {Uint8Array} the inverse of `readZip`
 */
export const writeZip = files => {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let position = 0;
  for (const [file, text] of files) {
    const [name, content] = [Buffer.from(file), Buffer.from(text)];
    const local = Buffer.alloc(sizes.local);
    local.writeUInt32LE(signatures.local, 0);
    writeShared(local, 4, name, content);
    parts.push(local, name, content);
    const central = Buffer.alloc(sizes.central);
    central.writeUInt32LE(signatures.central, 0);
    central.writeUInt16LE(version, 4);
    writeShared(central, 6, name, content);
    central.writeUInt32LE(position, 42);
    directory.push(central, name);
    position += local.length + name.length + content.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(sizes.end);
  end.writeUInt32LE(signatures.end, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...parts, listed, end]);
};
