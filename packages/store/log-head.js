// The head of a block log: which database it belongs to, and its generation of records. It is durable before the
// database announces a generation. So a log that is missing, emptied, older than its database or another database's
// never passes for one that a crash has left.
//
//   head   slot of even generations | zeros up to 4,096 | slot of odd generations | zeros up to 8,192
//   slot   "ssrblks2" | crc32 of the rest u32 | 0 u32 | run, 16 digits | boot, 40 bytes | generation f64 | block f64
//
// A slot is within one sector, which a disk writes whole or not at all.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import zlib from 'node:zlib';

const magic = 'ssrblks2';
const slotSpacing = 4096;
const slotBytes = 88;

export const headBytes = 2 * slotSpacing;

/**
 * @typedef {object} Slot
 * @property {string} run  of the database, 16 hexadecimal digits
 * @property {string} boot  id of the boot in which the generation began; empty if unknown
 * @property {number} generation
 * @property {number} block  the last block before the generation
 */

/** The position of a generation's slot. @param {number} generation */
export const slotPosition = generation => (generation % 2) * slotSpacing;

/** @param {Slot} slot */
export const formatSlot = ({ run, boot, generation, block }) => {
  const bytes = Buffer.alloc(slotBytes);
  bytes.write(magic, 0, 'latin1');
  bytes.write(run, 16, 16, 'latin1');
  bytes.write(boot, 32, 40, 'latin1');
  bytes.writeDoubleLE(generation, 72);
  bytes.writeDoubleLE(block, 80);
  bytes.writeUInt32LE(zlib.crc32(bytes.subarray(12)), 8);
  return bytes;
};

/** The digest to which the first record of a generation is chained. @param {Slot} slot */
export const slotDigest = slot => formatSlot({ ...slot, boot: '' }).readUInt32LE(8);

/**
 * @param {Buffer} log
 * @returns {Slot[]} the whole slots, the older one first
 */
export const readSlots = log =>
  [0, slotSpacing]
    .flatMap(at => {
      if (log.length < at + slotBytes) return [];
      const bytes = log.subarray(at, at + slotBytes);
      if (bytes.toString('latin1', 0, 8) !== magic) return [];
      if (zlib.crc32(bytes.subarray(12)) !== bytes.readUInt32LE(8)) return [];
      const slot = {
        run: bytes.toString('latin1', 16, 32),
        boot: bytes.toString('latin1', 32, 72).replace(/\0+$/, ''),
        generation: bytes.readDoubleLE(72),
        block: bytes.readDoubleLE(80),
      };
      return slotPosition(slot.generation) === at ? [slot] : [];
    })
    .sort((left, right) => left.generation - right.generation);

/**
 * The mark at the start of each record of a generation, and its complement at the record's end. They can be found
 * anywhere in a damaged log; records of earlier generations have other marks.
 *
 * @param {string} run
 * @param {number} generation
 */
export const markOf = (run, generation) => {
  const start = createHash('sha256').update(`${run} ${generation}`).digest().subarray(0, 8);
  return { start, end: Buffer.from(start.map(byte => byte ^ 0xff)) };
};

/** @typedef {ReturnType<typeof markOf>} Mark */

/** @type {string | undefined} */
let currentBoot;

/**
 * The system's id of the present boot; an empty string if it has none. Within one boot a process may end, but its
 * writes stay in their order. Only a power failure can leave later writes without earlier ones.
 */
export const readBoot = () => {
  if (currentBoot === undefined) {
    try {
      currentBoot = fs
        .readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')
        .trim()
        .slice(0, 40);
    } catch {
      currentBoot = '';
    }
  }
  return currentBoot;
};
