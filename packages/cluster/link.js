// A reliable, ordered pipe of messages between a leader and a host, over a channel that may lose, duplicate, delay and
// reorder. Posted messages go out in one packet at the next `flush`; packets are numbered, acknowledged and resent; a
// large batch goes in several packets. A link belongs to one session, epoch and run.
//
//   version u8 | CRC-32 of what follows, u32 | run, 8 bytes | epoch | session | number, 0 for a mere acknowledgement | acknowledged | more u8 | piece of a batch
//
// A packet with a wrong sum was damaged on its way, by a network, a server or a machine: it counts as lost and is sent
// again. The sum does not authenticate: anyone who may publish under a host's subject can compute it. Other numbers are
// varints. A batch is a sequence of messages, each with its length before it.

import zlib from 'node:zlib';
import { ByteReader, ByteWriter } from '#model';

/** The version of packets and of the messages in them (host-messages.js). */
export const linkVersion = 7;

/** A packet was damaged on its way. */
export class DamagedPacket extends RangeError {}

/** The offset of the bytes that the sum covers. */
const sumEnd = 5;

const idBytes = 8;

/** Bound on the bytes of a batch; a larger one is a bug or an attack. */
const mostBytes = 2 ** 28;

/** Bound on the bytes of the length of a message. */
const mostLengthBytes = 10;

/** Bound on the bytes of a message: its batch has its length beside it. */
export const mostMessageBytes = mostBytes - 16;

/** Bound on packets that come before the next one in order. */
const mostEarly = 4096;

/** Bound on their bytes; others are discarded and will be resent. */
const mostEarlyBytes = 2 ** 25;

/** Packets that are resent at once, and about how many bytes: more would delay what is still on its way. */
const mostResent = 64;
const mostResentBytes = 2 ** 23;

/** Bound on the bytes of a packet beside its piece. */
const headRoom = 128;

/**
 * @typedef {object} Packet
 * @property {string} id  of the run, 16 hexadecimal digits
 * @property {number} epoch
 * @property {number} session
 * @property {number} number
 * @property {number} acknowledged  all packets up to this number have come
 * @property {boolean} hasMore  the batch goes on in the next packet
 * @property {Uint8Array} piece
 */

/**
 * @param {Packet} packet
 * @returns {Uint8Array}
 */
export const writePacket = ({ id, epoch, session, number, acknowledged, hasMore, piece }) => {
  const writer = new ByteWriter(piece.length + headRoom);
  writer.byte(linkVersion);
  writer.raw(new Uint8Array(sumEnd - 1));
  writer.raw(Uint8Array.from(Buffer.from(id, 'hex')));
  for (const each of [epoch, session, number, acknowledged]) writer.varint(each);
  writer.byte(hasMore ? 1 : 0);
  writer.raw(piece);
  const bytes = writer.view();
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(1, zlib.crc32(bytes.subarray(sumEnd)));
  return bytes;
};

/**
 * @param {Uint8Array} bytes
 * @returns {Packet}
 * @throws {DamagedPacket} if the sum is wrong
 * @throws {RangeError} if they are not a packet of this version
 */
export const readPacket = bytes => {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  // It begins like JSON but is not (host-messages.js).
  if (version === 0x7b)
    throw new DamagedPacket(`a text of ${bytes.length} bytes was damaged on its way`);
  if (version !== linkVersion) throw RangeError(`a packet of version ${version}`);
  const sum = Buffer.from(reader.raw(sumEnd - 1)).readUInt32BE();
  if (zlib.crc32(bytes.subarray(sumEnd)) !== sum)
    throw new DamagedPacket(`a packet of ${bytes.length} bytes was damaged on its way`);
  const id = Buffer.from(reader.raw(idBytes)).toString('hex');
  const [epoch, session] = [reader.varint(), reader.varint()];
  const [number, acknowledged] = [reader.varint(), reader.varint()];
  const more = reader.byte();
  if (more > 1) throw RangeError(`byte ${more} is neither yes nor no`);
  const piece = bytes.subarray(reader.at);
  return { id, epoch, session, number, acknowledged, hasMore: more === 1, piece };
};

/**
 * @typedef {object} LinkOptions
 * @property {string} id  of the run
 * @property {number} epoch
 * @property {number} session
 * @property {number} maxBytes  of a packet
 * @property {(packet: Uint8Array) => void} send
 * @property {(message: Uint8Array) => void} onMessage
 * @property {() => number} nowMs
 * @property {number} [resendMs]  time after which a packet is resent
 */

export class Link {
  #options;

  /** Messages that wait for `flush`. @type {Uint8Array[]} */
  #posted = [];

  /** Their bytes, and those of their lengths. */
  #postedBytes = 0;

  /** The bytes of a batch; the buffer is reused for each. */
  #batch = new ByteWriter(1024);

  /** When the first posted message was posted. */
  #postedMs = 0;

  /**
   * Unacknowledged packets; `bornMs` is when their batch was begun.
   *
   * @type {Map<number, { bytes: Uint8Array, sentMs: number, bornMs: number }>}
   */
  #sent = new Map();

  #nextNumber = 1;

  /** The last packet that was received in order. */
  #taken = 0;

  /** Packets that came before the next one in order. @type {Map<number, Packet>} */
  #early = new Map();

  #earlyBytes = 0;

  /** The pieces of a batch that have come so far, in one buffer, however small they are. @type {ByteWriter | undefined} */
  #begun;

  #owesAnswer = false;

  /** When the other side last acknowledged a packet, or the first packet was sent after all were acknowledged. */
  #progressMs;

  /** When the last packet came. */
  heardMs;

  /** When the last packet with a piece was taken in order. */
  tookMs;

  /** The number of batches that were sent, and of those that were received. */
  #batchesSent = 0;

  batchesReceived = 0;

  /** @param {LinkOptions} options */
  constructor(options) {
    this.#options = options;
    this.heardMs = options.nowMs();
    this.tookMs = this.heardMs;
    this.#progressMs = this.heardMs;
  }

  /** How long the other side has acknowledged no packet; 0 if all are acknowledged. */
  get owedMs() {
    return this.#sent.size === 0 ? 0 : this.#options.nowMs() - this.#progressMs;
  }

  /** All messages posted before this time are acknowledged. */
  get owedSinceMs() {
    for (const { bornMs } of this.#sent.values()) return bornMs;
    return this.#posted.length > 0 ? this.#postedMs : Infinity;
  }

  /** The number of the batch with the last message that was posted. */
  get lastBatch() {
    return this.#batchesSent + (this.#posted.length > 0 ? 1 : 0);
  }

  /** @param {Uint8Array} message  kept until it is sent @returns {number} its bytes */
  post(message) {
    if (this.#postedBytes + message.length > mostMessageBytes) this.flush();
    if (this.#posted.length === 0) this.#postedMs = this.#options.nowMs();
    this.#posted.push(message);
    this.#postedBytes += message.length + mostLengthBytes;
    return message.length;
  }

  /** Send the posted messages as one batch. */
  flush() {
    if (this.#posted.length === 0) return;
    const batch = this.#batch;
    batch.length = 0;
    for (const message of this.#posted) {
      batch.varint(message.length);
      batch.raw(message);
    }
    this.#posted = [];
    this.#postedBytes = 0;
    this.#batchesSent += 1;
    const whole = batch.view();
    const size = this.#options.maxBytes - headRoom;
    for (let at = 0; at < whole.length; at += size) {
      const hasMore = at + size < whole.length;
      this.#sendNew(whole.subarray(at, Math.min(at + size, whole.length)), hasMore);
    }
  }

  /** @param {Uint8Array} piece @param {boolean} hasMore */
  #sendNew(piece, hasMore) {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    const bytes = this.#write(number, hasMore, piece);
    const sentMs = this.#options.nowMs();
    if (this.#sent.size === 0) this.#progressMs = sentMs;
    this.#sent.set(number, { bytes, sentMs, bornMs: this.#postedMs });
    this.#options.send(bytes);
  }

  /** @param {number} number @param {boolean} hasMore @param {Uint8Array} piece */
  #write(number, hasMore, piece) {
    const { id, epoch, session } = this.#options;
    this.#owesAnswer = false;
    return writePacket({
      ...{ id, epoch, session, number, acknowledged: this.#taken, hasMore, piece },
    });
  }

  /** Send an acknowledgement, which is also a sign of life. */
  acknowledge() {
    this.#options.send(this.#write(0, false, new Uint8Array()));
  }

  /** To be called regularly: acknowledges received packets and sends unacknowledged ones again. */
  tick() {
    const { nowMs, send, resendMs = 250 } = this.#options;
    const now = nowMs();
    let [left, leftBytes] = [mostResent, mostResentBytes];
    for (const each of this.#sent.values()) {
      if (now - each.sentMs < resendMs || left === 0 || leftBytes <= 0) break;
      left -= 1;
      leftBytes -= each.bytes.length;
      each.sentMs = now;
      send(each.bytes);
    }
    if (this.#owesAnswer) this.acknowledge();
  }

  /**
   * @param {Packet} packet  of this session
   * @throws {RangeError} if its numbers or its batch are wrong
   */
  receive(packet) {
    this.heardMs = this.#options.nowMs();
    if (packet.acknowledged >= this.#nextNumber)
      throw RangeError('an acknowledgement of what was not sent');
    for (const number of this.#sent.keys()) {
      if (number > packet.acknowledged) break;
      this.#sent.delete(number);
      this.#progressMs = this.heardMs;
    }
    if (packet.number === 0) return;
    this.#owesAnswer = true;
    if (packet.number <= this.#taken) return;
    if (packet.number > this.#taken + mostEarly) throw RangeError('a packet from too far ahead');
    const isNext = packet.number === this.#taken + 1;
    if (isNext && this.#early.size === 0) {
      this.#taken += 1;
      this.#take({ ...packet, piece: packet.piece.slice() });
      return;
    }
    if (!isNext && this.#earlyBytes + packet.piece.length > mostEarlyBytes) return;
    this.#earlyBytes += packet.piece.length - (this.#early.get(packet.number)?.piece.length ?? 0);
    this.#early.set(packet.number, { ...packet, piece: packet.piece.slice() });
    for (
      let next = this.#early.get(this.#taken + 1);
      next;
      next = this.#early.get(this.#taken + 1)
    ) {
      this.#taken += 1;
      this.#early.delete(this.#taken);
      this.#earlyBytes -= next.piece.length;
      this.#take(next);
    }
  }

  /** @param {Packet} packet */
  #take({ piece, hasMore }) {
    if (piece.length > 0) this.tookMs = this.#options.nowMs();
    if (hasMore || this.#begun !== undefined) {
      this.#begun ??= new ByteWriter(2 * piece.length);
      if (this.#begun.length + piece.length > mostBytes)
        throw RangeError(`a batch of more than ${mostBytes} bytes`);
      this.#begun.raw(piece);
    }
    if (hasMore) return;
    const whole = this.#begun?.view() ?? piece;
    this.#begun = undefined;
    const reader = new ByteReader(whole);
    this.batchesReceived += 1;
    while (!reader.done) this.#options.onMessage(reader.raw(reader.varint()));
  }
}
