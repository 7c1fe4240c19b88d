// A mark for each block: the state of the activity hash at the block's end, by which two recorded runs are compared
// block by block. The marks are a stream; an entry is
//
//   cranks since the mark before, twice, plus 1 if the chain has changed since then   varint
//   the chain H of the activity hash, if so                                           32 bytes
//   a sum of the records behind the last full chunk                                   4 bytes, lowest first
//
// Chain and sum depend only on the cranks so far, so runs with blocks of different sizes can be compared where blocks
// of both end. The sum is no cryptographic hash: it only finds a place, and is much cheaper than a SHA-256 of the tail.

import { ByteReader, UserError } from '#model';

/** @import { ByteWriter } from '#model' */

/** It depends on where blocks end, so it is one of those that may differ between equal runs. */
export const markStream = 'local.blocks';

const chainBytes = 32;

/** An odd number whose bits are spread: 2^32 divided by the golden ratio. */
const factor = 0x9e3779b1;

/**
 * @param {number} sum
 * @param {number} word
 */
const mix = (sum, word) => {
  const mixed = Math.imul(sum ^ word, factor);
  return mixed ^ (mixed >>> 15);
};

/** The sum of a growing tail, by whole words from the beginning of the tail, wherever blocks end. */
class TailSum {
  #sum = 0;

  /** Bytes of the tail that are in it: a multiple of 4. */
  #done = 0;

  /** The tail's buffer by words, since four loads of a byte each are slower. @type {DataView<ArrayBufferLike>} */
  #words = new DataView(new ArrayBuffer(0));

  /** Restarts the sum for a new tail. */
  restart() {
    this.#sum = 0;
    this.#done = 0;
  }

  /**
   * @param {Uint8Array} bytes  of the tail
   * @param {number} length
   * @returns {number} from 0
   */
  of(bytes, length) {
    if (this.#words.buffer !== bytes.buffer)
      this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const words = this.#words;
    let sum = this.#sum;
    let at = this.#done;
    for (; at + 4 <= length; at += 4) sum = mix(sum, words.getInt32(at, true));
    this.#sum = sum;
    this.#done = at;
    for (; at < length; at += 1) sum = mix(sum, bytes[at]);
    return mix(sum, length) >>> 0;
  }
}

export class BlockMarks {
  #tail = new TailSum();

  /** The crank of the last mark. */
  #crank = 0;

  /** @type {Uint8Array | undefined} the chain at the last mark */
  #chain;

  /**
   * Write the mark of a block's end. A block without cranks has no mark.
   *
   * @param {number} crank  the number of its last one
   * @param {{ chain: Uint8Array, tail: ByteWriter }} hash
   * @param {() => ByteWriter} findWriter  of the stream
   */
  write(crank, { chain, tail }, findWriter) {
    if (crank === this.#crank) return;
    const isNewChain = chain !== this.#chain;
    const writer = findWriter();
    writer.varint(2 * (crank - this.#crank) + (isNewChain ? 1 : 0));
    if (isNewChain) {
      this.#tail.restart();
      writer.raw(chain);
    }
    const sum = this.#tail.of(tail.bytes, tail.length);
    for (let shift = 0; shift < 32; shift += 8) writer.byte((sum >>> shift) & 0xff);
    this.#crank = crank;
    this.#chain = chain;
  }

  /**
   * Continue after a committed block.
   *
   * @param {number} crank  the number of its last one
   * @param {{ chain: Uint8Array, tail: ByteWriter }} hash
   */
  load(crank, { chain, tail }) {
    this.#crank = crank;
    this.#chain = chain;
    this.#tail.restart();
    this.#tail.of(tail.bytes, tail.length);
  }
}

/**
 * The end of a block. Two runs with equal marks at one crank are equal up to it.
 *
 * @typedef {object} BlockMark
 * @property {number} block  from 1
 * @property {number} crank  its last one
 * @property {string} mark
 */

/**
 * The marks of a run, in order.
 *
 * @param {Uint8Array} bytes  the stream
 * @returns {Generator<BlockMark>}
 * @throws {UserError} the stream is damaged
 */
export function* readBlockMarks(bytes) {
  const reader = new ByteReader(bytes);
  let crank = 0;
  let chain = '';
  for (let block = 1; !reader.done; block += 1) {
    const read = readMark(reader, block);
    crank += read.cranks;
    chain = read.chain ?? chain;
    yield { block, crank, mark: `${chain} ${read.sum}` };
  }
}

/**
 * @param {ByteReader} reader
 * @param {number} block
 */
const readMark = (reader, block) => {
  try {
    const head = reader.varint();
    const cranks = Math.floor(head / 2);
    if (cranks === 0) throw RangeError('a block of 0 cranks');
    const chain = head % 2 === 1 ? readHex(reader, chainBytes) : undefined;
    return { cranks, chain, sum: readHex(reader, 4) };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UserError(`the mark of block ${block} (${markStream}) is damaged: ${message}`, {
      exitCode: 1,
      cause: error,
    });
  }
};

/**
 * @param {ByteReader} reader
 * @param {number} count
 */
const readHex = (reader, count) =>
  Array.from({ length: count }, () => reader.byte().toString(16).padStart(2, '0')).join('');

/**
 * The place where two runs begin to differ, or cannot be compared any further.
 *
 * @typedef {object} BlockDifference
 * @property {boolean} isKnown  whether the runs differ; if not, no later blocks of both end at the same crank
 * @property {number} equalCranks  up to this crank they are equal
 * @property {BlockMark | undefined} left  the end of the first block behind it; undefined if there is none
 * @property {BlockMark | undefined} right
 */

/**
 * The first place where the marks of two runs differ, comparing the cranks at which blocks of both end.
 *
 * @param {Iterable<BlockMark>} leftMarks
 * @param {Iterable<BlockMark>} rightMarks
 * @returns {BlockDifference | undefined} undefined if all that can be compared is equal, to the end of both
 */
export const findFirstDifference = (leftMarks, rightMarks) => {
  const lefts = leftMarks[Symbol.iterator]();
  const rights = rightMarks[Symbol.iterator]();
  let equalCranks = 0;
  /** @type {BlockMark | undefined} */
  let left = lefts.next().value;
  /** @type {BlockMark | undefined} */
  let right = rights.next().value;
  // If the blocks end at different cranks, these are the first ones since the last place where both ended.
  let firstLeft = left;
  let firstRight = right;
  while (left !== undefined && right !== undefined) {
    if (left.crank < right.crank) {
      left = lefts.next().value;
    } else if (right.crank < left.crank) {
      right = rights.next().value;
    } else {
      if (left.mark !== right.mark)
        return { isKnown: true, equalCranks, left: firstLeft, right: firstRight };
      equalCranks = left.crank;
      left = lefts.next().value;
      right = rights.next().value;
      firstLeft = left;
      firstRight = right;
    }
  }
  if (firstLeft === undefined && firstRight === undefined) return undefined;
  return { isKnown: false, equalCranks, left: firstLeft, right: firstRight };
};
