// Watches the transcripts that a repeated run writes: compares each block's part with the recorded bytes. Only if they
// differ does it decode the entries, and it names the first difference.
//
// The recording has no transcript of an ended vat: its effects are in the other transcripts and in the hash.

import { ByteReader, readTranscriptEntry, UserError } from '#model';
import { compareEntries, tagOf } from './compare-entries.js';

/** @import { Tag, TranscriptEntry } from '#model' */
/** @import { Recording } from './read-recording.js' */

/**
 * @typedef {object} Difference
 * @property {Tag} tag
 * @property {string} text
 * @property {number} rank  of two at one tag, the one with the smaller rank may be the cause
 */

/** @type {Uint8Array} */
const noBytes = new Uint8Array();

/** A position in a recorded stream. */
class Place {
  #pieces;

  #piece = noBytes;

  #at = 0;

  /** Number of equal bytes so far. */
  done = 0;

  /** @param {Iterable<Uint8Array>} pieces */
  constructor(pieces) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /**
   * Tell whether these bytes come next; if so, move past them.
   *
   * @param {Uint8Array} bytes
   */
  follows(bytes) {
    let from = 0;
    while (from < bytes.length) {
      if (this.#at === this.#piece.length) {
        const { value, done } = this.#pieces.next();
        if (done) return false;
        this.#piece = value;
        this.#at = 0;
        continue;
      }
      const count = Math.min(bytes.length - from, this.#piece.length - this.#at);
      const here = this.#piece.subarray(this.#at, this.#at + count);
      if (Buffer.compare(here, bytes.subarray(from, from + count)) !== 0) return false;
      from += count;
      this.#at += count;
    }
    this.done += bytes.length;
    return true;
  }
}

/**
 * Describes the difference where a vat's reactors run by themselves in one of the two runs, but send or ask something
 * in the other.
 *
 * @param {TranscriptEntry} entry  the delivery that sends or asks
 * @param {number} number
 * @param {boolean} isNow  whether that is the repeated run, not the recording
 */
const sayWhichIsQuiet = (entry, number, isNow) => {
  const tag = tagOf(entry);
  const what = `its delivery ${number}`;
  const text = isNow
    ? `${what} asks or says something, in the recording its reactors run on by themselves`
    : `in the recording ${what} asks or says something, and now its reactors run on by themselves`;
  return { tag, text, isAct: true };
};

/**
 * @param {Recording} recording
 * @param {(difference: Difference) => void} onDifference
 */
export const makeTranscriptWatch = ({ store, kernel }, onDifference) => {
  const running = kernel.vats().filter(({ state }) => state === 'running');
  /** @type {Map<string, { name: string, place: Place }>} by stream */
  const watched = new Map();
  for (const { vatId, name } of running) {
    const stream = kernel.transcriptStream(vatId);
    watched.set(stream, { name: `vat ${name}`, place: new Place(store.streamChunks(stream)) });
  }

  /**
   * @param {string} stream
   * @param {Uint8Array} bytes  of whole entries
   * @param {number} place  their offset in the recorded stream
   */
  const findEntry = (stream, bytes, place) => {
    const recorded = new ByteReader(store.readStream(stream));
    const readRecorded = () => {
      try {
        return readTranscriptEntry(recorded);
      } catch (error) {
        const { message } = /** @type {Error} */ (error);
        throw new UserError(
          `the transcript of ${watched.get(stream)?.name} in the recording is damaged: ${message}; replay a whole copy of the database`,
          { exitCode: 1, cause: error },
        );
      }
    };
    let number = 1;
    for (; recorded.at < place; number += 1) readRecorded();
    const now = new ByteReader(bytes);
    for (; !now.done; number += 1) {
      const entry = readTranscriptEntry(now);
      const before = recorded.done ? undefined : readRecorded();
      const found = compareEntries(entry, before, number);
      if (found === undefined) continue;
      if (entry.kind === 'quiet' && before?.kind === 'quiet') {
        const isShorter = entry.cranks < before.cranks;
        if (entry.cranks !== before.cranks && !(isShorter ? now : recorded).done) {
          const next = isShorter ? readTranscriptEntry(now) : readRecorded();
          return sayWhichIsQuiet(next, number + 1, isShorter);
        }
      }
      return { tag: tagOf(entry), ...found };
    }
    return undefined;
  };

  return Object.freeze({
    /**
     * @param {string} stream
     * @param {Uint8Array} bytes  added to it by a block or a part of one
     */
    take(stream, bytes) {
      const known = watched.get(stream);
      if (known === undefined || known.place.follows(bytes)) return;
      const found = findEntry(stream, bytes, known.place.done);
      watched.delete(stream);
      if (found === undefined) return;
      const { tag, text, isAct } = found;
      onDifference({ tag, text: `${known.name}: ${text}`, rank: isAct ? 1 : 2 });
    },

    /** Takes the entries of an incomplete block, which are not written yet. @param {import('#kernel').Kernel} repeated */
    takeRest(repeated) {
      for (const stream of [...watched.keys()])
        this.take(stream, repeated.state.streamAdded(stream));
    },

    /**
     * Report, at the end, entries that only the recording has.
     *
     * @param {import('#kernel').Kernel} repeated
     */
    finish(repeated) {
      for (const { vatId } of running) {
        const stream = kernel.transcriptStream(vatId);
        const known = watched.get(stream);
        if (known === undefined) continue;
        const { name, place } = known;
        const length = store.streamLength(stream);
        const { agendas } = repeated.state.reactors;
        const is = JSON.stringify(agendas.get(vatId)?.quiet ?? null);
        const was = JSON.stringify(kernel.state.reactors.agendas.get(vatId)?.quiet ?? null);
        if (place.done === length && is === was) continue;
        const text =
          place.done < length
            ? 'the recording has more deliveries of it'
            : 'the last cranks of its reactors by themselves are others than in the recording';
        onDifference({ tag: repeated.now, text: `${name}: ${text}`, rank: 2 });
      }
    },
  });
};
