// The cranks of a vat's present incarnation, for bringing it back to where it was.

import { ByteReader, readTranscriptEntry, UserError } from '#model';
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
  // The last run of quiet cranks may still grow.
  const quiet = state.reactors.agendas.get(vatId)?.quiet ?? null;
  if (quiet !== null) yield asQuietEntry(quiet);
}
