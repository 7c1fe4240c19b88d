// Deliveries, syscalls, answers and transcript entries as bytes: what is written is read again.

import test from 'ava';
import fc from 'fast-check';

import {
  answeredSyscalls,
  ByteReader,
  ByteWriter,
  findSyscallKind,
  readAnswer,
  readCapData,
  readDelivery,
  readSyscall,
  readTranscriptEntry,
  schemaVersion,
  writeAnswer,
  writeCapData,
  writeDelivery,
  writeDeliveryTwice,
  writeSyscall,
  writeSyscallTwice,
  writeTranscriptEntry,
} from '../index.js';

/** @typedef {import('../index.js').Answer} Answer */
/** @typedef {import('../index.js').Delivery} Delivery */
/** @typedef {import('../index.js').Syscall} Syscall */
/** @typedef {import('../index.js').TranscriptEntry} TranscriptEntry */

const arbText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter(text => text.isWellFormed()),
  fc.constantFrom('#[]', 'o+1', 'p-60', '\ufeff#1', 'x'.repeat(300)),
);
/** A reference is never empty: in a message, an empty one stands for no result. */
const arbRef = fc.oneof(
  fc.constantFrom('o+0', 'o-50', 'p+5', 'ko20', 'kp40', 'o+d10/3:1'),
  fc.string({ minLength: 1 }),
);
const arbCapData = fc.record({ body: arbText, slots: fc.array(arbRef, { maxLength: 4 }) });
const arbResult = fc.option(arbRef, { nil: null });
const arbRefs = fc.array(arbRef, { maxLength: 4 });
const arbResolutions = fc.array(fc.tuple(arbRef, fc.boolean(), arbCapData), { maxLength: 3 });
const kind = (/** @type {string} */ name) => fc.constant(name);

/** @type {fc.Arbitrary<any>} */
const arbDelivery = fc.oneof(
  fc.tuple(kind('none'), arbText, arbText),
  fc.tuple(kind('startVat'), arbCapData),
  fc.tuple(kind('message'), arbRef, arbCapData, arbResult),
  fc.tuple(kind('notify'), arbResolutions),
  fc.tuple(kind('bringOutYourDead')),
  fc.tuple(kind('dropExports'), arbRefs),
  fc.tuple(kind('retireExports'), arbRefs),
  fc.tuple(kind('retireImports'), arbRefs),
  fc.tuple(kind('stopVat'), arbCapData),
  fc.tuple(
    kind('react'),
    fc.array(fc.tuple(fc.nat(), arbCapData), { maxLength: 3 }),
    fc.boolean(),
    fc.array(fc.nat(), { maxLength: 3 }),
  ),
);

/** @type {fc.Arbitrary<any>} */
const arbSyscall = fc.oneof(
  fc.tuple(kind('send'), arbRef, arbCapData, arbResult),
  fc.tuple(kind('subscribe'), arbRef),
  fc.tuple(kind('resolve'), arbResolutions),
  fc.tuple(kind('exit'), fc.boolean(), arbCapData),
  fc.tuple(kind('vatstoreGet'), arbText),
  fc.tuple(kind('vatstoreSet'), arbText, arbText),
  fc.tuple(kind('vatstoreDelete'), arbText),
  fc.tuple(kind('vatstoreGetNextKey'), arbText),
  fc.tuple(kind('callNow'), arbRef, arbText, arbCapData),
  fc.tuple(kind('dropImports'), arbRefs),
  fc.tuple(kind('retireImports'), arbRefs),
  fc.tuple(kind('retireExports'), arbRefs),
  fc.tuple(kind('setPort'), fc.nat(), arbCapData),
  fc.tuple(kind('requestStop')),
);

/** @type {fc.Arbitrary<any>} */
const arbAnswer = fc.oneof(
  fc.record({ kind: kind('value'), value: fc.option(arbText, { nil: undefined }) }),
  fc.record({ kind: kind('return'), data: arbCapData }),
  fc.record({ kind: kind('throw'), data: arbCapData }),
);

const arbTag = fc.record({ timeNs: fc.maxSafeNat(), microstep: fc.nat() });

/** @type {fc.Arbitrary<any>} */
const arbEntry = fc.oneof(
  fc.record({
    kind: kind('deliver'),
    tag: arbTag,
    stage: fc.nat(300),
    delivery: arbDelivery,
    answers: fc.array(arbAnswer, { maxLength: 3 }),
    syscalls: fc.array(arbSyscall, { maxLength: 5 }),
  }),
  fc.record({
    kind: kind('quiet'),
    firstTag: arbTag,
    endTag: arbTag,
    endStage: fc.nat(300),
    cranks: fc.maxSafeNat(),
  }),
);

/** @type {Record<string, [write: (writer: ByteWriter, value: any) => void, read: (reader: ByteReader) => unknown, arb: fc.Arbitrary<any>]>} */
const codecs = {
  capdata: [writeCapData, readCapData, arbCapData],
  deliveries: [writeDelivery, readDelivery, arbDelivery],
  syscalls: [writeSyscall, readSyscall, arbSyscall],
  answers: [writeAnswer, readAnswer, arbAnswer],
  'transcript entries': [writeTranscriptEntry, readTranscriptEntry, arbEntry],
};

for (const [what, [write, read, arb]] of Object.entries(codecs)) {
  test(`${what} follow each other without framing and are read as they were written`, t => {
    fc.assert(
      fc.property(fc.array(arb, { maxLength: 5 }), values => {
        const writer = new ByteWriter(1);
        for (const value of values) write(writer, value);
        const reader = new ByteReader(writer.view());
        for (const value of values) t.deepEqual(read(reader), value);
        t.true(reader.done);
      }),
      { numRuns: 300 },
    );
  });

  test(`${what} that are cut short are an error, never another value`, t => {
    fc.assert(
      fc.property(
        arb,
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (value, at) => {
          const writer = new ByteWriter();
          write(writer, value);
          const cut = writer.view().slice(0, Math.floor(at * writer.length));
          t.throws(() => read(new ByteReader(cut)), { instanceOf: RangeError });
        },
      ),
      { numRuns: 300 },
    );
  });
}

/**
 * Renames references: each gets one more character, and all else is equal.
 *
 * @param {any} value  a field of a tuple
 * @param {string} kind  of the tuple
 * @param {number} at  its place there
 * @returns {any}
 */
const renamed = (value, kind, at) => {
  const other = (/** @type {string} */ ref) => `${ref}'`;
  const data = (/** @type {any} */ { body, slots }) => ({ body, slots: slots.map(other) });
  if (kind.startsWith('vatstore') || kind === 'none') return value;
  if (typeof value === 'string') return kind === 'callNow' && at === 2 ? value : other(value);
  if (Array.isArray(value) && (kind === 'notify' || kind === 'resolve'))
    return value.map(([ref, isRejected, told]) => [other(ref), isRejected, data(told)]);
  if (Array.isArray(value) && kind === 'react' && at === 1)
    return value.map(([channel, given]) => [channel, data(given)]);
  if (Array.isArray(value)) return kind === 'react' ? value : value.map(other);
  return value === null || typeof value !== 'object' ? value : data(value);
};

/** @param {any} tuple */
const renameAll = ([name, ...fields]) => [
  name,
  ...fields.map((/** @type {any} */ field, /** @type {number} */ i) => renamed(field, name, i + 1)),
];

for (const [what, arb, once, twice] of /** @type {const} */ ([
  ['deliveries', arbDelivery, writeDelivery, writeDeliveryTwice],
  [
    'syscalls',
    arbSyscall,
    writeSyscall,
    (/** @type {any} */ both, /** @type {any} */ tuple, /** @type {any} */ inVat) =>
      writeSyscallTwice(both, /** @type {any} */ (findSyscallKind(tuple[0])), tuple, inVat),
  ],
])) {
  test(`${what} written for two streams are in each as if they were written for it alone`, t => {
    fc.assert(
      fc.property(arb, fc.boolean(), (tuple, isSame) => {
        const inVat = isSame ? tuple : renameAll(tuple);
        const both = { inKrefs: new ByteWriter(1), inVrefs: new ByteWriter(1) };
        twice(both, tuple, inVat);
        const alone = [tuple, inVat].map(written => {
          const writer = new ByteWriter(1);
          once(writer, written);
          return Buffer.from(writer.view());
        });
        t.deepEqual(
          [both.inKrefs, both.inVrefs].map(writer => Buffer.from(writer.view())),
          alone,
        );
      }),
    );
  });
}

test('a kind that is not known is an error that names the schema version', t => {
  t.is(schemaVersion, 4);
  for (const [read, what] of /** @type {const} */ ([
    [readDelivery, 'kind of delivery'],
    [readSyscall, 'syscall'],
    [readAnswer, 'answer'],
    [readTranscriptEntry, 'kind of transcript entry'],
  ])) {
    t.throws(() => read(new ByteReader(Uint8Array.of(200))), {
      instanceOf: RangeError,
      message: `byte 200 names no ${what} in schema version ${schemaVersion}`,
    });
  }
  t.throws(() => readTranscriptEntry(new ByteReader(Uint8Array.of(0))), { instanceOf: RangeError });
});

/** @param {(writer: ByteWriter) => void} write */
const hex = write => {
  const writer = new ByteWriter();
  write(writer);
  return Buffer.from(writer.view()).toString('hex');
};

test('the first byte says the kind; these are fixed with the schema version', t => {
  const none = { body: '', slots: [] };
  /** @type {[Delivery, string][]} */
  const deliveries = [
    [['none', '', ''], '00'],
    [['startVat', none], '01'],
    [['message', 'o+0', none, null], '02'],
    [['notify', []], '03'],
    [['bringOutYourDead'], '04'],
    [['dropExports', []], '05'],
    [['retireExports', []], '06'],
    [['retireImports', []], '07'],
    [['stopVat', none], '08'],
  ];
  for (const [delivery, byte] of deliveries)
    t.is(hex(writer => writeDelivery(writer, delivery)).slice(0, 2), byte);
  /** @type {[Syscall, string][]} */
  const syscalls = [
    [['send', 'o+0', none, null], '00'],
    [['subscribe', 'p+5'], '01'],
    [['resolve', []], '02'],
    [['exit', false, none], '03'],
    [['vatstoreGet', ''], '04'],
    [['vatstoreSet', '', ''], '05'],
    [['vatstoreDelete', ''], '06'],
    [['vatstoreGetNextKey', ''], '07'],
    [['callNow', 'd-70', '', none], '08'],
    [['dropImports', []], '09'],
    [['retireImports', []], '0a'],
    [['retireExports', []], '0b'],
  ];
  for (const [syscall, byte] of syscalls)
    t.is(hex(writer => writeSyscall(writer, syscall)).slice(0, 2), byte);
  t.is(
    hex(writer => writeAnswer(writer, { kind: 'value', value: undefined })),
    '00',
  );
  t.is(
    hex(writer => writeAnswer(writer, { kind: 'value', value: 'a' })),
    '010161',
  );
  t.is(
    hex(writer => writeAnswer(writer, { kind: 'return', data: none })),
    '020000',
  );
  t.is(
    hex(writer => writeAnswer(writer, { kind: 'throw', data: none })),
    '030000',
  );
});

test('a transcript entry has the bytes of its test vector', t => {
  /** @type {TranscriptEntry} */
  const deliver = {
    kind: 'deliver',
    tag: { timeNs: 128, microstep: 3 },
    stage: 0,
    delivery: ['bringOutYourDead'],
    answers: [{ kind: 'value', value: 'a' }],
    syscalls: [['subscribe', 'p+5']],
  };
  t.is(
    hex(writer => writeTranscriptEntry(writer, deliver)),
    '0180010300040101016101' + '0103702b35',
  );
  /** @type {TranscriptEntry} */
  const quiet = {
    kind: 'quiet',
    firstTag: { timeNs: 1, microstep: 0 },
    endTag: { timeNs: 2, microstep: 4 },
    endStage: 1,
    cranks: 300,
  };
  t.is(
    hex(writer => writeTranscriptEntry(writer, quiet)),
    '020100020401ac02',
  );
});

test('answers belong to the syscalls that are answered inside the crank', t => {
  t.deepEqual(answeredSyscalls, ['vatstoreGet', 'vatstoreGetNextKey', 'callNow']);
});
