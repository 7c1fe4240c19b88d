// The activity hash: a fingerprint of everything the kernel did. Two runs are equal if their hashes are.
//
// Each crank is a record of bytes (notation: packages/model/bytes.js):
//
//   number of the crank, as a difference to the previous record   varint
//   time of its tag, as a difference to the previous record       varint
//   microstep: the difference if the time is the same (zigzag), otherwise the microstep itself   varint
//   class, stage, number of the vat (0: none reached)             byte, varint, varint
//   outcome: 0 kept, 1 dropped, 2 exit, 3 exit with failure       byte
//   delivery in krefs; number of syscalls applied, each in krefs  (packages/model/delivery.js)
//
// The records make one stream, cut every 65,536 bytes, also within a record. H₀ is 32 zero bytes, and each full chunk
// gives H = SHA-256(H ‖ chunk); the hash reported is SHA-256(H ‖ rest), so it does not depend on blocks. The rest is
// stored with the block in pieces, of which a block writes those that it changed.

import { ByteWriter, numberOfId, toZigzag, writeDelivery, writeSyscall } from '#model';
import { classes } from '#schedule';
import { figure } from '../tables/figures.js';

/** @import { Delivery, Syscall, Tag, TagLog } from '#model' */
/** @import { Figures } from '../tables/figures.js' */
/** @import { Batch, KernelStore } from '../store-interface.js' */

export const chunkBytes = 65_536;

/** Small enough for a database page, large enough that a block seldom changes more than two. */
const pieceBytes = 1024;

const pieceKeys = Array.from(
  { length: chunkBytes / pieceBytes },
  (_, piece) => `hash.tail.${String(piece).padStart(2, '0')}`,
);

const pieceKey = (/** @type {number} */ piece) => pieceKeys[piece];

/** @typedef {(bytes: Uint8Array) => Uint8Array} Sha256 */

/** Outcomes of a crank; the position is the byte that is hashed. */
const outcomes = /** @type {const} */ (['kept', 'dropped', 'exit', 'exitWithFailure']);

/**
 * @typedef {object} CrankRecord
 * @property {number} crank
 * @property {number} timeNs
 * @property {number} microstep
 * @property {number} class
 * @property {number} stage
 * @property {string} vatId  '' when the item reached no vat
 * @property {(typeof outcomes)[number]} outcome
 * @property {Delivery} delivery  in krefs
 * @property {Syscall[]} syscalls  in krefs, those that were applied
 */

const keptByte = outcomes.indexOf('kept');

/**
 * Writes the beginning of a record, up to the outcome.
 *
 * @param {ByteWriter} writer
 * @param {number} step  from the number of the crank before
 * @param {number} elapsedNs  from its time
 * @param {number} microstep  if no time has elapsed, the difference to its microstep
 * @param {number} itemClass
 * @param {number} stage
 * @param {number} vatNumber
 * @param {number} outcome
 */
const writeHead = (writer, step, elapsedNs, microstep, itemClass, stage, vatNumber, outcome) => {
  const shown = elapsedNs === 0 ? toZigzag(microstep) : microstep;
  if (step <= 127 && elapsedNs <= 127 && shown <= 127 && stage <= 127 && vatNumber <= 127) {
    // Fast path: the bytes of the general path below in one call.
    writer.seven(
      step,
      elapsedNs,
      shown,
      itemClass | (stage << 8) | (vatNumber << 16) | (outcome << 24),
    );
    return;
  }
  writer.varint(step);
  writer.varint(elapsedNs);
  writer.varint(shown);
  writer.byte(itemClass);
  writer.varint(stage);
  writer.varint(vatNumber);
  writer.byte(outcome);
};

/** The end of a quiet crank's record: kept, a bare `react`, no syscalls. */
const quietEnd = (() => {
  const writer = new ByteWriter(8);
  writer.byte(keptByte);
  writeDelivery(writer, ['react', [], false, []]);
  writer.varint(0);
  return writer.view();
})();

/** The end of a quiet record after its outcome. */
const quietRest = quietEnd.subarray(1);

/** The first of its five bytes, as the fourth of eight, after class, stage and vat. */
const quietEndLow = quietEnd[0] << 24;
const quietEndHigh = new DataView(quietEnd.buffer).getInt32(1, true);

// eslint-disable-next-line house/max-class-lines -- one record is written by many short methods into one private buffer
export class ActivityHash {
  #figures;

  #sha256;

  #writer = new ByteWriter(2 * chunkBytes);

  /** @type {Uint8Array} */
  #chain = new Uint8Array(32);

  #chainChanged = true;

  /** The position at which the open record begins. */
  #start = 0;

  /** @type {Uint8Array | null} buffer of the chain and a full chunk */
  #joined = null;

  /** Bytes of the tail that are already in the store. */
  #written = 0;

  /** Number of pieces in the store. */
  #pieces = 0;

  /** Views of pieces by their starts, and the buffer that they view. @type {Map<number, Uint8Array>} */
  #views = new Map();

  #viewed = new Uint8Array();

  /**
   * @param {Figures} figures
   * @param {Sha256} sha256
   */
  constructor(figures, sha256) {
    this.#figures = figures;
    this.#sha256 = sha256;
  }

  /**
   * Begin the record of a kept crank. The caller then writes the delivery in krefs, the number of syscalls, and each
   * syscall as it is applied, and calls `close`.
   *
   * @param {number} crank
   * @param {Tag} tag
   * @param {number} itemClass
   * @param {number} stage
   * @param {number} vatNumber
   * @returns {ByteWriter}
   */
  open(crank, { timeNs, microstep }, itemClass, stage, vatNumber) {
    const figures = this.#figures;
    const { numbers } = figures;
    const writer = this.#writer;
    this.#start = writer.length;
    const step = crank - numbers[figure.hashedCrank];
    const elapsedNs = timeNs - numbers[figure.hashedTimeNs];
    const since = elapsedNs === 0 ? microstep - numbers[figure.hashedMicrostep] : microstep;
    writeHead(writer, step, elapsedNs, since, itemClass, stage, vatNumber, keptByte);
    figures.write(figure.hashedCrank, crank);
    figures.write(figure.hashedTimeNs, timeNs);
    figures.write(figure.hashedMicrostep, microstep);
    return writer;
  }

  /** Ends the record that was opened. */
  close() {
    const figures = this.#figures;
    const { length } = this.#writer;
    figures.write(figure.hashedBytes, figures.numbers[figure.hashedBytes] + length - this.#start);
    if (this.#writer.length >= chunkBytes) this.#cut();
  }

  /** @param {CrankRecord} record  of a crank that has been kept or dropped for good */
  add(record) {
    const { numbers } = this.#figures;
    const { crank, timeNs, microstep } = record;
    this.#start = this.#writer.length;
    writeCrankRecord(this.#writer, record, {
      crank: numbers[figure.hashedCrank],
      timeNs: numbers[figure.hashedTimeNs],
      microstep: numbers[figure.hashedMicrostep],
    });
    this.#figures.write(figure.hashedCrank, crank);
    this.#figures.write(figure.hashedTimeNs, timeNs);
    this.#figures.write(figure.hashedMicrostep, microstep);
    this.close();
  }

  /**
   * Adds quiet cranks of a vat's reactors, each a record as `add` writes it.
   *
   * @param {number} vatNumber
   * @param {TagLog} quiet  their tags and stages
   */
  addQuiet(vatNumber, quiet) {
    const figures = this.#figures;
    const { numbers } = figures;
    const { firstTimeNs, firstMicrostep, firstStage } = quiet;
    // The first may follow a crank that has no record; each later number is one more.
    const step = numbers[figure.crankNumber] + 1 - numbers[figure.hashedCrank];
    const elapsedNs = firstTimeNs - numbers[figure.hashedTimeNs];
    const microsteps =
      elapsedNs === 0 ? firstMicrostep - numbers[figure.hashedMicrostep] : firstMicrostep;
    let bytes = this.#repeatQuiet(1, step, elapsedNs, microsteps, firstStage, vatNumber);
    quiet.eachRun((count, runElapsedNs, runMicrosteps, stage) => {
      bytes += this.#repeatQuiet(count, 1, runElapsedNs, runMicrosteps, stage, vatNumber);
    });
    figures.write(figure.hashedCrank, numbers[figure.crankNumber] + quiet.length);
    figures.write(figure.hashedTimeNs, quiet.lastTimeNs);
    figures.write(figure.hashedMicrostep, quiet.lastMicrostep);
    figures.write(figure.hashedBytes, numbers[figure.hashedBytes] + bytes);
  }

  /**
   * Hashes one quiet record `count` times.
   *
   * @param {number} count
   * @param {number} step  from the number of the crank before
   * @param {number} elapsedNs  from its time
   * @param {number} microsteps  from its microstep if no time has elapsed
   * @param {number} stage
   * @param {number} vatNumber
   * @returns {number} bytes
   */
  #repeatQuiet(count, step, elapsedNs, microsteps, stage, vatNumber) {
    const writer = this.#writer;
    const start = writer.length;
    const shown = elapsedNs === 0 ? toZigzag(microsteps) : microsteps;
    if (step <= 127 && elapsedNs <= 127 && shown <= 127 && stage <= 127 && vatNumber <= 127) {
      // Fast path: the bytes of the general path below, without a call for each field.
      const low = classes.reaction | (stage << 8) | (vatNumber << 16) | quietEndLow;
      writer.eleven(step, elapsedNs, shown, low, quietEndHigh);
    } else {
      const { reaction } = classes;
      writeHead(writer, step, elapsedNs, microsteps, reaction, stage, vatNumber, keptByte);
      writer.raw(quietRest);
    }
    const size = writer.length - start;
    if (writer.length >= chunkBytes) this.#cut();
    for (let left = count - 1; left > 0;) {
      // As many records as fill the chunk.
      const some = Math.min(left, Math.ceil((chunkBytes - writer.length) / size));
      writer.repeat(size, some);
      left -= some;
      if (writer.length >= chunkBytes) this.#cut();
    }
    return count * size;
  }

  /** Digests all full chunks. A record may have any size, so the rest is moved only once. */
  #cut() {
    const writer = this.#writer;
    let at = 0;
    for (; writer.length - at >= chunkBytes; at += chunkBytes)
      this.#chain = this.#digest(writer.bytes.subarray(at, at + chunkBytes));
    this.#chainChanged = true;
    writer.bytes.copyWithin(0, at, writer.length);
    writer.length -= at;
    this.#written = 0;
  }

  /** @param {Uint8Array} bytes */
  #digest(bytes) {
    // There are thousands of full chunks, so their buffer is reused.
    const isFull = bytes.length === chunkBytes;
    const joined = (isFull ? this.#joined : null) ?? new Uint8Array(32 + bytes.length);
    if (isFull) this.#joined = joined;
    joined.set(this.#chain);
    joined.set(bytes, 32);
    return this.#sha256(joined);
  }

  /** H of the full chunks: a new array for each new value. */
  get chain() {
    return this.#chain;
  }

  /** The records after the full chunks. */
  get tail() {
    return this.#writer;
  }

  /** The hash of all cranks so far, as 64 hexadecimal digits. */
  report() {
    return toHex(this.#digest(this.#writer.view()));
  }

  /** @param {Batch['puts']} puts */
  collect(puts) {
    if (this.#chainChanged) {
      puts.set('hash.chain', toHex(this.#chain));
      this.#chainChanged = false;
    }
    const { length } = this.#writer;
    // Pieces are always whole, with zeros behind the tail, so that a store can write over the last one in place.
    const end = Math.ceil(length / pieceBytes) * pieceBytes;
    this.#writer.reserve(end - length);
    this.#writer.bytes.fill(0, length, end);
    for (let at = this.#written - (this.#written % pieceBytes); at < length; at += pieceBytes) {
      puts.set(pieceKey(at / pieceBytes), this.#piece(at));
    }
    this.#written = length;
    // After a cut the tail is shorter. The old tail's pieces are deleted, since they would depend on where blocks
    // ended.
    const pieces = Math.ceil(length / pieceBytes);
    for (let piece = pieces; piece < this.#pieces; piece += 1) puts.set(pieceKey(piece), undefined);
    this.#pieces = pieces;
  }

  /**
   * The view of a piece. Each is kept, since making one is slow.
   *
   * @param {number} at  position at which it begins
   */
  #piece(at) {
    const { bytes } = this.#writer;
    if (this.#viewed !== bytes) {
      this.#views.clear();
      this.#viewed = bytes;
    }
    const known = this.#views.get(at);
    if (known !== undefined) return known;
    const view = bytes.subarray(at, at + pieceBytes);
    this.#views.set(at, view);
    return view;
  }

  /** @param {KernelStore} store */
  load(store) {
    const chain = store.get('hash.chain');
    if (chain === undefined) return;
    this.#chain = fromHex(chain);
    this.#chainChanged = false;
    const length = this.#figures.numbers[figure.hashedBytes] % chunkBytes;
    this.#writer.length = 0;
    for (let at = 0; at < length; at += pieceBytes) {
      const piece = store.getBytes(pieceKey(at / pieceBytes));
      if (!piece) throw Error(`key ${pieceKey(at / pieceBytes)} of the activity hash is missing`);
      this.#writer.raw(piece.subarray(0, Math.min(pieceBytes, length - at)));
    }
    this.#written = length;
    this.#pieces = Math.ceil(length / pieceBytes);
  }
}

/**
 * @param {ByteWriter} writer
 * @param {CrankRecord} record
 * @param {{ crank: number, timeNs: number, microstep: number }} previous
 */
export const writeCrankRecord = (writer, record, previous) => {
  const { timeNs, microstep, vatId } = record;
  const elapsedNs = timeNs - previous.timeNs;
  writeHead(
    writer,
    record.crank - previous.crank,
    elapsedNs,
    elapsedNs === 0 ? microstep - previous.microstep : microstep,
    record.class,
    record.stage,
    vatId === '' ? 0 : numberOfId(vatId),
    outcomes.indexOf(record.outcome),
  );
  writeDelivery(writer, record.delivery);
  writer.varint(record.syscalls.length);
  for (let i = 0; i < record.syscalls.length; i += 1) writeSyscall(writer, record.syscalls[i]);
};

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** @param {Uint8Array} bytes */
const toHex = bytes => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 1) text += hexOf[bytes[i]];
  return text;
};

/** @param {string} text */
const fromHex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));
