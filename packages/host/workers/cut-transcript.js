// Cuts a transcript into pieces of whole entries.

import { ByteReader, readTranscriptEntry } from '#model';

/**
 * @param {Uint8Array} transcript  whole entries
 * @param {number} mostBytes  bound on a piece; a longer entry is a piece of its own
 * @returns {Generator<Uint8Array>} nothing for an empty transcript
 */
export function* cutTranscript(transcript, mostBytes) {
  if (transcript.length <= mostBytes) {
    if (transcript.length > 0) yield transcript;
    return;
  }
  const reader = new ByteReader(transcript);
  let from = 0;
  let to = 0;
  while (!reader.done) {
    readTranscriptEntry(reader);
    if (reader.at - from > mostBytes && to > from) {
      yield transcript.subarray(from, to);
      from = to;
    }
    to = reader.at;
  }
  yield transcript.subarray(from);
}
