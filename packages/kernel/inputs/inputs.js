// The inputs of a run: everything that the run did not determine itself. A replay needs them, the bundles, the config
// and the profile, and nothing else. They are one stream of records:
//
//   kind (byte), time and microstep of the tag (varints), vat (text, '' for none), data (text)
//
// The sequence number of an input is its place in the stream, from 1.
//
// An input that the host gives between cranks belongs behind all items up to the input's tag. If it came in the middle
// of an instant, the tag alone does not say where: then the number of the crank before it follows the vat, as
// `v3@1234`. For a vat that was refused memory it is the number of that crank itself.

import { ByteReader, makeTag, quote, schemaVersion } from '#model';
import { figure } from '../tables/figures.js';
import { byInput } from '../tables/queue-item.js';
import { inputStream } from '../tables/state.js';

/** @import { Tag } from '#model' */
/** @import { Limit } from '../crank/flight.js' */
/** @import { KernelState } from '../tables/state.js' */

/** Kinds of inputs. The position is the byte that is written, so new kinds go to the end. */
const kinds = /** @type {const} */ ([
  'start',
  'message',
  'release',
  'clock',
  'deadline',
  'physical',
  'dead',
  'seed',
  'stop',
  'diverged',
  'refused',
  'hold',
  'end',
  'reap',
  'interval',
  'bundle',
  'device',
  'cleanup',
  'limit',
  'krefs',
]);

/** @typedef {(typeof kinds)[number]} InputKind */

const byteOf = /** @type {Record<InputKind, number>} */ (
  Object.fromEntries(kinds.map((kind, byte) => [kind, byte]))
);

/**
 * @typedef {object} Input
 * @property {number} seq
 * @property {Tag} tag
 * @property {InputKind} kind
 * @property {string} vat  id of a vat or a device, kref of an object or a promise that a message goes to, or ''
 * @property {string} data
 * @property {number} [crank]  the crank before the input, if items of its tag were still to come; for a refusal, the
 *   crank that it ended
 */

/**
 * Record an input at the present tag.
 *
 * @param {KernelState} state
 * @param {InputKind} kind
 * @param {string} vat  vat id, or ''
 * @param {string} data
 */
export const recordInput = (state, kind, vat, data) => {
  state.figures.allocate(figure.nextInput);
  const writer = state.stream(inputStream);
  const { timeNs, microstep } = state.now;
  writer.byte(byteOf[kind]);
  writer.varint(timeNs);
  writer.varint(microstep);
  writer.text(vat);
  writer.text(data);
};

/** Items queued from now on have the next input as their cause. @param {KernelState} state */
export const beginInput = ({ queue, figures }) =>
  queue.setCause(figures.numbers[figure.nextInput], byInput);

/**
 * Record an input of the host between cranks. To be called before its items are queued.
 *
 * @param {KernelState} state
 * @param {InputKind} kind
 * @param {string} vat  id of a vat or a device, kref of what a message goes to, or ''
 * @param {string} data
 */
export const recordHostInput = (state, kind, vat, data) => {
  const next = state.queue.peek();
  const { now } = state;
  const isInside = next?.timeNs === now.timeNs && next.microstep === now.microstep;
  const place = isInside ? `@${state.figures.numbers[figure.crankNumber]}` : '';
  beginInput(state);
  state.reactors.unforeseen += 1;
  recordInput(state, kind, vat + place, data);
};

/**
 * Record that a vat was stopped in a crank whose tag is the present one: the machine had no memory for it, or it went beyond a
 * limit.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {number} crank  its number
 * @param {Limit} [limit]
 */
export const recordRefusal = (state, vatId, crank, limit) =>
  recordInput(state, limit === undefined ? 'refused' : 'limit', `${vatId}@${crank}`, limit ?? '');

/**
 * Parses the vat and crank number of an input.
 *
 * @param {string} text
 * @returns {{ vat: string, crank?: number }}
 */
const parsePlace = text => {
  const at = text.indexOf('@');
  return at < 0 ? { vat: text } : { vat: text.slice(0, at), crank: Number(text.slice(at + 1)) };
};

/**
 * @param {Uint8Array} bytes  of the stream
 * @returns {Input[]}
 * @throws {RangeError} for a kind that this schema version does not know
 */
export const readInputs = bytes => {
  const reader = new ByteReader(bytes);
  /** @type {Input[]} */
  const inputs = [];
  while (!reader.done) {
    const byte = reader.byte();
    const kind = kinds[byte];
    if (kind === undefined) {
      throw RangeError(
        `byte ${quote(byte)} names no kind of input in schema version ${schemaVersion}`,
      );
    }
    const tag = makeTag(reader.varint(), reader.varint());
    const place = parsePlace(reader.text());
    inputs.push({ seq: inputs.length + 1, tag, kind, ...place, data: reader.text() });
  }
  return inputs;
};
