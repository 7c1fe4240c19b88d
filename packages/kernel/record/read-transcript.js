// Reads the cranks of a vat's present incarnation, for replaying them.

import {
  ByteReader,
  ByteWriter,
  readTranscriptEntry,
  UserError,
  writeTranscriptEntry,
} from '#model';
import { asQuietEntry } from '../reactors/quiet-run.js';

/** @import { KernelState } from '../tables/state.js' */

/** @param {ByteReader} reader @param {string} vatId @param {number} number */
const readEntry = (reader, vatId, number) => {
  try {
    return readTranscriptEntry(reader);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const what = `the transcript of vat ${vatId} is damaged at its entry ${number}: ${message}`;
    throw new UserError(what, { exitCode: 1, cause: error });
  }
};

/**
 * @param {KernelState} state
 * @param {string} vatId
 * @throws {UserError} the transcript is damaged
 */
export function* readTranscript(state, vatId) {
  const reader = new ByteReader(state.readStream(state.transcriptStreamOf(vatId)));
  for (let number = 1; !reader.done; number += 1) yield readEntry(reader, vatId, number);
  const quiet = findQuiet(state, vatId);
  if (quiet !== null) yield asQuietEntry(quiet);
}

/** The last run of quiet cranks, which may still grow. @param {KernelState} state @param {string} vatId */
const findQuiet = ({ reactors }, vatId) => reactors.agendas.get(vatId)?.quiet ?? null;

/**
 * The cranks of `readTranscript` as bytes.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @returns {Uint8Array} whole entries
 */
export const readTranscriptBytes = (state, vatId) => {
  const stream = state.readStream(state.transcriptStreamOf(vatId));
  const quiet = findQuiet(state, vatId);
  if (quiet === null) return stream;
  const writer = new ByteWriter();
  writer.raw(stream);
  writeTranscriptEntry(writer, asQuietEntry(quiet));
  return writer.view();
};
