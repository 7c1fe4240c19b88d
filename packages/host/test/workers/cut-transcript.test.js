// A long transcript goes to a thread in pieces: together they are the transcript, and none begins within an entry.

import test from 'ava';
import fc from 'fast-check';
import { cutTranscript } from '#host/workers/cut-transcript.js';
import { ByteReader, ByteWriter, readTranscriptEntry, writeTranscriptEntry } from '#model';

/** @param {readonly string[]} bodies  of messages, one an entry */
const writeAll = bodies => {
  const writer = new ByteWriter();
  bodies.forEach((body, microstep) =>
    writeTranscriptEntry(writer, {
      ...{ kind: 'deliver', tag: { timeNs: 0, microstep }, stage: 0, answers: [], syscalls: [] },
      delivery: ['message', 'o+0', { body, slots: [] }, null],
    }),
  );
  return Uint8Array.from(writer.view());
};

/** @param {Uint8Array} bytes */
const countEntries = bytes => {
  const reader = new ByteReader(bytes);
  let count = 0;
  for (; !reader.done; count += 1) readTranscriptEntry(reader);
  return count;
};

test('pieces consist of whole entries, contain all of them, and are as large as allowed', t => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 60 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 400 }),
      (bodies, mostBytes) => {
        const transcript = writeAll(bodies);
        const pieces = [...cutTranscript(transcript, mostBytes)];
        t.deepEqual(Buffer.concat(pieces), Buffer.from(transcript));
        const counts = pieces.map(countEntries);
        t.is(
          counts.reduce((sum, each) => sum + each, 0),
          bodies.length,
        );
        pieces.forEach((piece, i) => {
          t.true(counts[i] > 0);
          if (counts[i] > 1) t.true(piece.length <= mostBytes);
          if (i > 0) t.true(pieces[i - 1].length + piece.length > mostBytes);
        });
      },
    ),
  );
});
