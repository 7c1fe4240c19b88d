// Reads the cranks of a vat's present incarnation, for replaying them.

import {
  ByteReader,
  ByteWriter,
  Fail,
  readTranscriptEntry,
  UserError,
  writeTranscriptEntry,
} from '#model';
import { asQuietEntry } from '../reactors/quiet-run.js';

/** @import { QuietEntry, TranscriptEntry } from '#model' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * A place in a vat's cranks, between two of them: behind so many bytes of the stream, and so many cranks of the quiet run
 * that is not yet in the stream. The vat's reactors run next at the tag, if they do.
 *
 * @typedef {{ bytes: number, quietCranks: number, timeNs: number, microstep: number }} TranscriptPlace
 */

/** The place before the first crank. @type {TranscriptPlace} */
const transcriptStart = Object.freeze({
  ...{ bytes: 0, quietCranks: 0, timeNs: -1, microstep: 0 },
});

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

const noAgenda = Object.freeze({ quiet: null, ownTimeNs: -1, ownMicrostep: 0 });

/**
 * The place behind the last crank of a vat.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @returns {TranscriptPlace}
 */
export const findTranscriptEnd = (state, vatId) => {
  const { quiet, ownTimeNs, ownMicrostep } = state.reactors.agendas.get(vatId) ?? noAgenda;
  return {
    bytes: state.readStream(state.transcriptStreamOf(vatId)).length,
    ...{ quietCranks: quiet?.cranks ?? 0, timeNs: ownTimeNs, microstep: ownMicrostep },
  };
};

/** The rest of a quiet run behind a place in it; null if nothing is left. @param {QuietEntry} entry @param {TranscriptPlace} from */
const cutQuiet = (entry, { quietCranks, timeNs, microstep }) =>
  quietCranks === 0
    ? entry
    : quietCranks < entry.cranks
      ? { ...entry, firstTag: { timeNs, microstep }, cranks: entry.cranks - quietCranks }
      : null;

/**
 * The cranks of `readTranscript` behind a place, as bytes.
 *
 * @param {KernelState} state
 * @param {string} vatId
 * @param {TranscriptPlace} [from]  default: the beginning
 * @param {number} [incarnation]  default: the present one
 * @returns {Uint8Array} whole entries
 */
export const readTranscriptBytes = (state, vatId, from = transcriptStart, incarnation) => {
  const name = state.transcriptStreamOf(vatId, incarnation);
  const stream = state.readStream(name).subarray(from.bytes);
  const quiet = findQuiet(state, vatId);
  const isCut = from.quietCranks > 0;
  if (quiet === null && !isCut) return stream;
  const writer = new ByteWriter();
  const reader = new ByteReader(stream);
  /** @param {TranscriptEntry} entry @param {TranscriptPlace} place */
  const writeQuiet = (entry, place) => {
    if (entry.kind !== 'quiet') throw Fail`vat ${vatId} has no quiet run at a place in one`;
    const rest = cutQuiet(entry, place);
    if (rest !== null) writeTranscriptEntry(writer, rest);
  };
  // The run that the place is in is the first entry behind it, or still grows.
  const isWritten = isCut && !reader.done;
  if (isWritten) writeQuiet(readTranscriptEntry(reader), from);
  writer.raw(stream.subarray(reader.at));
  if (quiet !== null) writeQuiet(asQuietEntry(quiet), isWritten ? transcriptStart : from);
  return writer.view();
};
