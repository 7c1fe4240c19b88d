// Frames: what is written is read again, for every kind, and what is no frame is refused.

import test from 'ava';
import fc from 'fast-check';

import { ByteWriter, ReactorReport, reactorCounts } from '#model';
import {
  digestBytes,
  frameVersion,
  readReport,
  readRequest,
  writeReport,
  writeRequest,
} from '../index.js';

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

const grant = fc.oneof(
  fc.record({ timeNs: number, microstep: number, cranks: number }),
  fc.record({ timeNs: fc.constant(Infinity), microstep: fc.constant(0), cranks: number }),
);

const requests = fc.oneof(
  fc.record({ kind: fc.constant('bundle'), id: text, text, urls: text }),
  fc.record({ kind: fc.constant('make'), vatId: text, description: text }),
  fc.record({
    kind: fc.constant('deliver'),
    vatId: text,
    when: fc.record(
      { timeNs: number, microstep: number, stage: number, grant },
      { requiredKeys: ['timeNs', 'microstep', 'stage'] },
    ),
    asked: list(text),
    delivery,
  }),
  fc.record({ kind: fc.constant('answer'), answer }),
  fc.record({ kind: fc.constant('close'), vatId: text }),
  fc.record({ kind: fc.constant('hasMethod'), vatId: text, method: text }),
  fc.record({ kind: fc.constant('replay'), vatId: text, entries: fc.uint8Array() }),
  fc.record({ kind: fc.constant('goAhead'), state: fc.uint8Array(), vatIds: list(text) }),
  fc.record({
    ...{ kind: fc.constant('input'), crank: number, input: text, vat: text, data: text },
  }),
  fc.record({ kind: fc.constant('taken'), cranks: number }),
  fc.record({ kind: fc.constant('stayBehind') }),
);

const small = fc.nat(2 ** 32 - 1);
const counts = fc.array(number, {
  minLength: reactorCounts.length,
  maxLength: reactorCounts.length,
});
const ports = list(fc.tuple(text, fc.nat(300)));
const shape = fc.record({
  ...{ inputs: ports, outputs: ports, actions: list(text), dependencies: list(list(fc.nat(400))) },
  ...{ mayRequestStop: fc.boolean(), hasRoot: fc.boolean() },
});

/** Reports of reactors, of which the bytes are tested in `model`. */
const reactors = fc
  .record({
    ...{ isLoud: fc.boolean(), timeNs: number, microstep: small, stage: small },
    ...{ counts, shape: fc.option(shape), ran: fc.nat(5) },
  })
  .map(({ ran, counts: all, ...fields }) => {
    const report = Object.assign(new ReactorReport(), fields);
    if (fields.isLoud) report.counts = all;
    for (let i = 0; i < ran; i += 1) report.quiet.add(i * i, 0, 0);
    return report;
  });

const hasRounds = fc.constantFrom(null, true, false);

const question = fc.oneof(
  syscall,
  fc.constant(['bringOutYourDead']),
  fc.tuple(fc.constantFrom('clock', 'deadline'), number, number),
);

const digest = fc.uint8Array({ minLength: digestBytes, maxLength: digestBytes });

const reports = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('result'), vatId: text, fault: fc.oneof(fc.constant(null), text) },
    ...{
      isRefusal: fc.boolean(),
      wantsAsking: fc.boolean(),
      syscalls: list(syscall),
      answers: list(answer),
      shown: text,
    },
    ...{ busyNs: number, collections: number, collectionNs: number, hasRounds },
    reactors: fc.option(reactors),
  }),
  fc.record({
    ...{ kind: fc.constant('question'), vatId: text, earlier: list(syscall) },
    question,
  }),
  fc.record({ kind: fc.constant('begun'), vatId: text, digest }),
  fc.record({ kind: fc.constant('told'), vatId: text, question, answer }),
  fc.record({ kind: fc.constant('behind'), reason: text }),
  fc.record({ kind: fc.constant('batch'), frames: list(fc.uint8Array()) }),
  fc.record({ kind: fc.constant('hasMethod'), isThere: fc.boolean() }),
  fc.record({
    ...{ kind: fc.constant('replayed'), vatId: text, cranks: number, hasRounds },
    problem: fc.oneof(fc.constant(null), text),
  }),
);

/** @param {Uint8Array} bytes */
const readWithReactors = bytes => readReport(bytes, () => new ReactorReport());

/** A frame in values that are compared. @param {any} frame */
const shown = frame => {
  const { reactors: report } = frame;
  if (report === undefined || report === null) return frame;
  const { quiet, ...fields } = report;
  /** @type {number[][]} */
  const ran = [];
  quiet.each((/** @type {number[]} */ ...entry) => void ran.push(entry));
  return { ...frame, reactors: { ...fields, ran } };
};

/** @param {import('ava').ExecutionContext} t @param {(bytes: Uint8Array) => unknown} read @param {Uint8Array} bytes */
const isReadOrRefused = (t, read, bytes) => {
  try {
    read(bytes);
  } catch (error) {
    t.true(error instanceof RangeError, /** @type {Error} */ (error).message);
  }
};

/** @type {[string, any, any, any][]} */
const directions = [
  ['requests', requests, writeRequest, readRequest],
  ['reports', reports, writeReport, readWithReactors],
];

for (const [name, frames, write, read] of directions) {
  test(`${name} are read as they were written, lone surrogates too`, t => {
    const writer = new ByteWriter();
    fc.assert(
      fc.property(frames, frame => {
        write(writer, frame);
        t.deepEqual(shown(read(writer.view())), shown(frame));
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
          message: /a frame of version 6; this program has 5/,
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
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: 12 }), (tail, kind) =>
        isReadOrRefused(t, read, Uint8Array.of(frameVersion, kind, ...tail)),
      ),
      { numRuns: 2000 },
    );
  });

  test(`${name} of which some bytes were changed give a frame or a RangeError`, t => {
    const writer = new ByteWriter();
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(frames, changes, (frame, changed) => {
        write(writer, frame);
        const bytes = Uint8Array.from(writer.view());
        for (const [at, byte] of changed) bytes[at % bytes.length] = byte;
        isReadOrRefused(t, read, bytes);
      }),
      { numRuns: 2000 },
    );
  });
}

test('only a vat with reactors may report reactors', t => {
  const writer = new ByteWriter();
  const result = {
    ...{
      kind: 'result',
      vatId: 'v7',
      fault: null,
      isRefusal: false,
      wantsAsking: false,
      syscalls: [],
      answers: [],
    },
    ...{ shown: '', busyNs: 1, collections: 0, collectionNs: 0, hasRounds: null },
    reactors: new ReactorReport(),
  };
  writeReport(writer, /** @type {any} */ (result));
  t.throws(() => readReport(writer.view()), {
    instanceOf: RangeError,
    message: 'a result of "v7" tells of reactors, and it has none',
  });
});
