// Frames: what is written is read again, for every kind, and what is no frame is refused.

import test from 'ava';
import fc from 'fast-check';

import { ByteWriter } from '#model';
import { frameVersion, readReport, readRequest, writeReport, writeRequest } from '../index.js';

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  // Lone surrogates, and the mark of what is escaped.
  fc
    .array(fc.constantFrom('\ud800', '\udfff', '\ue000', 'd800', 'é', '\ufffd', '\u{1f600}'))
    .map(parts => parts.join('')),
);
const list = (/** @type {any} */ each) => fc.array(each, { maxLength: 4 });
const data = fc.record({ body: text, slots: list(text) });
const number = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const result = fc.oneof(
  fc.constant(null),
  text.filter(name => name !== ''),
);
const resolutions = list(fc.tuple(text, fc.boolean(), data));

const syscall = fc.oneof(
  fc.tuple(fc.constant('send'), text, data, result),
  fc.tuple(fc.constant('subscribe'), text),
  fc.tuple(fc.constant('resolve'), resolutions),
  fc.tuple(fc.constant('exit'), fc.boolean(), data),
  fc.tuple(fc.constant('vatstoreSet'), text, text),
  fc.tuple(fc.constant('vatstoreGetNextKey'), text),
  fc.tuple(fc.constant('callNow'), text, text, data),
  fc.tuple(fc.constant('dropImports'), list(text)),
  fc.tuple(fc.constant('setPort'), number, data),
  fc.constant(['requestStop']),
);

const answer = fc.oneof(
  fc.record({ kind: fc.constant('value'), value: fc.oneof(fc.constant(undefined), text) }),
  fc.record({ kind: fc.constantFrom('return', 'throw'), data }),
);

const delivery = fc.oneof(
  fc.tuple(fc.constant('startVat'), data),
  fc.tuple(fc.constant('message'), text, data, result),
  fc.tuple(fc.constant('notify'), resolutions),
  fc.constant(['bringOutYourDead']),
  fc.tuple(fc.constant('retireExports'), list(text)),
  fc.tuple(fc.constant('react'), list(fc.tuple(number, data)), fc.boolean(), list(number)),
);

const requests = fc.oneof(
  fc.record({ kind: fc.constant('bundle'), id: text, text, urls: text }),
  fc.record({ kind: fc.constant('make'), vatId: text, description: text }),
  fc.record({
    kind: fc.constant('deliver'),
    vatId: text,
    when: fc.record({ timeNs: number, microstep: number, stage: number }),
    asked: list(text),
    delivery,
  }),
  fc.record({ kind: fc.constant('answer'), answer }),
  fc.record({ kind: fc.constant('close'), vatId: text }),
  fc.record({ kind: fc.constant('hasMethod'), vatId: text, method: text }),
  fc.record({ kind: fc.constant('replay'), vatId: text, entries: fc.uint8Array() }),
);

const hasRounds = fc.constantFrom(null, true, false);

const reports = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('result'), vatId: text, fault: fc.oneof(fc.constant(null), text) },
    ...{ isRefusal: fc.boolean(), syscalls: list(syscall), answers: list(answer), shown: text },
    ...{ busyNs: number, collections: number, collectionNs: number, hasRounds },
  }),
  fc.record({
    ...{ kind: fc.constant('question'), vatId: text, earlier: list(syscall) },
    question: fc.oneof(
      syscall,
      fc.constant(['bringOutYourDead']),
      fc.tuple(fc.constantFrom('clock', 'deadline'), number, number),
    ),
  }),
  fc.record({ kind: fc.constant('hasMethod'), isThere: fc.boolean() }),
  fc.record({
    ...{ kind: fc.constant('replayed'), vatId: text, entries: number, hasRounds },
    problem: fc.oneof(fc.constant(null), text),
  }),
);

/** @type {[string, any, any, any][]} */
const directions = [
  ['requests', requests, writeRequest, readRequest],
  ['reports', reports, writeReport, readReport],
];

for (const [name, frames, write, read] of directions) {
  test(`${name} are read as they were written, lone surrogates too`, t => {
    const writer = new ByteWriter();
    fc.assert(
      fc.property(frames, frame => {
        write(writer, frame);
        t.deepEqual(read(writer.view()), frame);
      }),
      { numRuns: 500 },
    );
  });

  test(`${name} that are cut off, go on, or are of another version or kind are refused`, t => {
    const writer = new ByteWriter();
    fc.assert(
      fc.property(frames, fc.nat(), (frame, place) => {
        write(writer, frame);
        const bytes = Uint8Array.from(writer.view());
        t.throws(() => read(bytes.subarray(0, place % bytes.length)), { instanceOf: RangeError });
        t.throws(() => read(Uint8Array.of(...bytes, 0)), { instanceOf: RangeError });
        t.throws(() => read(Uint8Array.of(frameVersion + 1, ...bytes.subarray(1))), {
          message: /a frame of version 3; this program has 2/,
        });
        t.throws(() => read(Uint8Array.of(bytes[0], 77, ...bytes.subarray(2))), {
          message: /byte 77 names no kind of frame/,
        });
      }),
      { numRuns: 100 },
    );
  });

  test(`${name} of random bytes give a frame or a RangeError`, t => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: 7 }), (tail, kind) => {
        try {
          read(Uint8Array.of(frameVersion, kind, ...tail));
        } catch (error) {
          t.true(
            error instanceof RangeError || error instanceof TypeError,
            /** @type {Error} */ (error).message,
          );
        }
      }),
      { numRuns: 2000 },
    );
  });
}
