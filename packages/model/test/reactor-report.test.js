// Reports of reactors as bytes: what is written is read again, and what cannot be is refused.

import test from 'ava';
import fc from 'fast-check';
import {
  ByteReader,
  ByteWriter,
  readReactorReport,
  ReactorReport,
  TagLog,
  writeReactorReport,
} from '../index.js';

/** @import { ReactorShape } from '../index.js' */

const small = fc.nat(2 ** 32 - 1);
const time = fc.oneof(fc.nat(5), fc.maxSafeNat());
const counts = fc.array(fc.maxSafeNat(), { minLength: 5, maxLength: 5 });
const ports = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.nat(300)), { maxLength: 3 });
/** @type {fc.Arbitrary<ReactorShape>} */
const arbShape = fc.record({
  inputs: ports,
  outputs: ports,
  actions: fc.array(fc.string(), { maxLength: 2 }),
  dependencies: fc.array(fc.array(fc.nat(400), { maxLength: 3 }), { maxLength: 3 }),
  mayRequestStop: fc.boolean(),
  hasRoot: fc.boolean(),
});
const arbReport = fc.record({
  steps: fc.array(fc.tuple(fc.nat(3), fc.nat(2), fc.nat(2), fc.integer({ min: 1, max: 20 })), {
    maxLength: 6,
  }),
  first: fc.tuple(fc.nat(2 ** 40), fc.nat(9), small),
  isLoud: fc.boolean(),
  tag: fc.tuple(time, small, small),
  next: fc.option(fc.tuple(time, small, small), { nil: null }),
  quietCounts: counts,
  counts,
  shape: fc.option(arbShape, { nil: null }),
});

/** @param {TagLog} log */
const entriesOf = log => {
  /** @type {number[][]} */
  const entries = [];
  log.each((...entry) => void entries.push(entry));
  return entries;
};

/** @param {ReactorReport} report */
const shown = ({ quiet, ...rest }) => ({
  ...rest,
  quiet: entriesOf(quiet),
});

/** @param {typeof arbReport extends fc.Arbitrary<infer R> ? R : never} given */
const makeReport = ({ steps, first, tag, next, isLoud, quietCounts, ...rest }) => {
  const report = new ReactorReport();
  if (steps.length > 0) {
    report.quiet.add(...first);
    for (const [elapsedNs, microsteps, stage, count] of steps)
      for (let i = 0; i < count; i += 1) {
        const { lastTimeNs, lastMicrostep } = report.quiet;
        const microstep = elapsedNs === 0 ? lastMicrostep + microsteps : microsteps;
        report.quiet.add(lastTimeNs + elapsedNs, microstep, stage);
      }
    Object.assign(report, { quietCounts });
  }
  [report.timeNs, report.microstep, report.stage] = tag;
  [report.nextTimeNs, report.nextMicrostep, report.nextStage] = next ?? [-1, 0, 0];
  report.isLoud = isLoud;
  if (isLoud) report.counts = rest.counts;
  report.shape = rest.shape;
  return report;
};

test('reports come back as they were, whatever the object said before', t => {
  const read = new ReactorReport();
  fc.assert(
    fc.property(arbReport, given => {
      const report = makeReport(given);
      const writer = new ByteWriter();
      writeReactorReport(writer, report);
      const reader = new ByteReader(writer.view());
      readReactorReport(reader, read);
      t.true(reader.done);
      t.deepEqual(shown(read), shown(report));
    }),
  );
});

test('a report that is cut short is an error', t => {
  fc.assert(
    fc.property(arbReport, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, part) => {
      const writer = new ByteWriter();
      writeReactorReport(writer, makeReport(given));
      const bytes = writer.view();
      const cut = bytes.subarray(0, Math.floor(bytes.length * part));
      t.throws(() => readReactorReport(new ByteReader(cut), new ReactorReport()), {
        instanceOf: RangeError,
      });
    }),
  );
});

/** @type {Record<string, [bytes: number[], message: RegExp]>} */
const impossible = {
  'flags that are none': [[16], /byte 16 begins no report of reactors/],
  'ports with other flags': [[8, 0, 0, 0, 0, 0, 0, 0, 4], /byte 4 has no flags of a vat's ports/],
  'a run of no cranks': [[2, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0], /a run of 0 tags behind 1/],
  'more cranks than a report has': [
    [2, 0, 0, 0, 0, 0, 0, 1, 0xff, 0xff, 3, 1, 0, 0],
    /a run of 65535 tags behind 1 in a log of 8192; it has room for 8191/,
  ],
  'a stage that is too large': [
    [2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x7f],
    /a run ends at 1 ns, microstep 0, stage 34359738367/,
  ],
};

for (const [what, [bytes, message]] of Object.entries(impossible)) {
  test(`${what} are no report`, t => {
    t.throws(() => readReactorReport(new ByteReader(Uint8Array.from(bytes)), new ReactorReport()), {
      instanceOf: RangeError,
      message,
    });
  });
}

test('a log of tags takes a run only behind a first tag, and up to the largest time', t => {
  const log = new TagLog(10);
  t.throws(() => log.addRun(1, 1, 0, 0), { message: 'a run of tags has no first one' });
  log.add(Number.MAX_SAFE_INTEGER - 2, 0, 0);
  t.throws(() => log.addRun(3, 1, 0, 0), { instanceOf: RangeError, message: /a run ends at/ });
  log.addRun(2, 1, 0, 0);
  t.is(log.lastTimeNs, Number.MAX_SAFE_INTEGER);
  t.throws(() => log.addRun(1, 0, 2 ** 32, 0), {
    instanceOf: RangeError,
    message: /a run ends at/,
  });
});
