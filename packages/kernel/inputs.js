// The inputs of a run: everything that the run did not determine itself. With the bundles, the config and the
// profile they are all that is needed to run it again. They are one stream of records:
//
//   kind (byte), time and microstep of the tag (varints), vat (text, '' for none), data (text)
//
// The sequence number of an input is its place in the stream, from 1.

import { ByteReader, makeTag, quote, schemaVersion } from '#model';
import { figure } from './figures.js';
import { inputStream } from './state.js';

/** @import { Tag } from '#model' */
/** @import { KernelState } from './state.js' */

/** The position is the byte that is written; only ever added to. */
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
]);

/** @typedef {(typeof kinds)[number]} InputKind */

/** @typedef {{ seq: number, tag: Tag, kind: InputKind, vat: string, data: string }} Input */

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
  writer.byte(kinds.indexOf(kind));
  writer.varint(timeNs);
  writer.varint(microstep);
  writer.text(vat);
  writer.text(data);
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
    inputs.push({ seq: inputs.length + 1, tag, kind, vat: reader.text(), data: reader.text() });
  }
  return inputs;
};
