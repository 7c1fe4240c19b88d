// The activity hash: the bytes of records written out by hand (README.md has the same vectors), and the chain.

import { createHash } from 'node:crypto';

import test from 'ava';
import fc from 'fast-check';

import { ByteWriter, TagLog } from '#model';
import { writeCrankRecord } from '#kernel';
import { makeTestKernel, message, sha256 } from '#testkit';
import { ActivityHash, chunkBytes } from '../record/hash.js';
import { Figures, figure } from '../tables/figures.js';

/** @typedef {import('../record/hash.js').CrankRecord} CrankRecord */

const nothingBefore = { crank: 0, timeNs: 0, microstep: 0 };

/** @type {CrankRecord} the first crank of a run: bootstrap is delivered, and sends a message */
const first = {
  crank: 1,
  timeNs: 0,
  microstep: 0,
  class: 1,
  stage: 0,
  vatId: 'v3',
  outcome: 'kept',
  delivery: ['message', 'ko20', { body: '#["go",[]]', slots: ['ko21', 'kp41'] }, 'kp40'],
  syscalls: [
    ['send', 'ko21', { body: '#[]', slots: [] }, 'kp42'],
    ['subscribe', 'kp42'],
  ],
};

/** @type {CrankRecord} */
const second = {
  crank: 2,
  timeNs: 0,
  microstep: 1,
  class: 1,
  stage: 0,
  vatId: 'v1',
  outcome: 'exitWithFailure',
  delivery: ['notify', [['kp42', true, { body: '#"é"', slots: [] }]]],
  syscalls: [['exit', true, { body: '#1', slots: [] }]],
};

/** @type {CrankRecord} an item that reached no vat, one millisecond later */
const third = {
  crank: 3,
  timeNs: 1_000_000,
  microstep: 2,
  class: 1,
  stage: 0,
  vatId: '',
  outcome: 'kept',
  delivery: ['none', 'parked', 'kp50'],
  syscalls: [],
};

const firstBytes = [
  '01', // crank number: 1 more than before
  '00', // time: 0 ns more
  '00', // microstep: 0 more, zigzag
  '01', // class: messages
  '00', // stage
  '03', // vat v3
  '00', // outcome: kept
  '02', // delivery: message
  '046b6f3230', // "ko20"
  '0a235b22676f222c5b5d5d', // #["go",[]]
  '02046b6f3231046b703431', // two slots: "ko21", "kp41"
  '046b703430', // result "kp40"
  '02', // two syscalls
  '00046b6f323103235b5d00046b703432', // send to "ko21", #[], no slots, result "kp42"
  '01046b703432', // subscribe to "kp42"
].join('');

const secondBytes = [
  '01', // crank number
  '00', // time
  '02', // microstep: 1 more, zigzag
  '010001', // class, stage, vat v1
  '03', // outcome: exit with failure
  '03', // delivery: notify
  '01046b703432', // one resolution: "kp42"
  '01', // rejected
  '052322c3a922', // #"é", 5 bytes of UTF-8
  '00', // no slots
  '01', // one syscall
  '0301', // exit, with failure
  '022331', // #1
  '00', // no slots
].join('');

const thirdBytes = [
  '01', // crank number
  'c0843d', // time: 1,000,000 ns more
  '02', // microstep: 2 itself, for the time has changed
  '010000', // class, stage, no vat
  '00', // outcome: kept
  '00', // delivery: none
  '067061726b6564', // "parked"
  '046b703530', // "kp50"
  '00', // no syscalls
].join('');

/**
 * @param {CrankRecord} record
 * @param {{ crank: number, timeNs: number, microstep: number }} previous
 */
const bytesOf = (record, previous) => {
  const writer = new ByteWriter();
  writeCrankRecord(writer, record, previous);
  return Buffer.from(writer.view()).toString('hex');
};

test('a record has the documented bytes', t => {
  t.is(bytesOf(first, nothingBefore), firstBytes);
  t.is(bytesOf(second, first), secondBytes);
  t.is(bytesOf(third, second), thirdBytes);
});

test('a smaller microstep at the same time is a zigzag difference', t => {
  t.is(bytesOf({ ...third, microstep: 0 }, third).slice(4, 6), '03');
});

/** @type {(...parts: (string | Uint8Array)[]) => string} */
const sha256Hex = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(typeof part === 'string' ? Buffer.from(part, 'hex') : part);
  return hash.digest('hex');
};

const zeros = '00'.repeat(32);

const makeHash = () => new ActivityHash(new Figures(), sha256);

test('the hashes of no record, of one and of three are the documented ones', t => {
  const hash = makeHash();
  t.is(hash.report(), '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925');
  t.is(hash.report(), sha256Hex(zeros));
  hash.add(first);
  t.is(hash.report(), sha256Hex(zeros, firstBytes));
  hash.add(second);
  hash.add(third);
  t.is(hash.report(), sha256Hex(zeros, firstBytes, secondBytes, thirdBytes));
  t.is(hash.report(), 'b2fab2c0566746dfe4d82a2fa48416d4c5938d7a6d97a3738a73cecfe46de432');
});

/**
 * A record of `size` bytes or a little more.
 *
 * @param {number} crank
 * @param {number} size
 * @returns {CrankRecord}
 */
const largeRecord = (crank, size) => ({
  ...first,
  crank,
  microstep: crank,
  syscalls: [['send', 'ko21', { body: `#${'x'.repeat(size)}`, slots: [] }, null]],
});

test('the stream is cut every 65,536 bytes, in the middle of records too', t => {
  const hash = makeHash();
  let stream = '';
  for (let crank = 1; crank <= 9; crank += 1) {
    // The last one alone is cut three times.
    const record = largeRecord(crank, crank === 9 ? 3 * chunkBytes : 20_000);
    stream += bytesOf(record, crank === 1 ? nothingBefore : largeRecord(crank - 1, 0));
    hash.add(record);
    let chain = zeros;
    let rest = stream;
    while (rest.length >= 2 * chunkBytes) {
      chain = sha256Hex(chain, rest.slice(0, 2 * chunkBytes));
      rest = rest.slice(2 * chunkBytes);
    }
    t.is(hash.report(), sha256Hex(chain, rest), `after ${crank} records`);
  }
  t.is(hash.report(), 'a3cb2b045222b1370e6353163ff254118c2c3fec8834367db538edb2a6235980');
});

test('a stream that ends with a full chunk has an empty tail', t => {
  const hash = makeHash();
  const overhead = bytesOf(largeRecord(1, 60_000), nothingBefore).length / 2 - 60_000;
  const record = largeRecord(1, chunkBytes - overhead);
  const bytes = bytesOf(record, nothingBefore);
  t.is(bytes.length, 2 * chunkBytes);
  hash.add(record);
  t.is(hash.report(), sha256Hex(sha256Hex(zeros, bytes)));
});

test('the hash is the same however the records are divided into blocks, saved and loaded', t => {
  const record = fc.integer({ min: 0, max: 40_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(record, fc.constantFrom('', 'save', 'load'))), steps => {
      const whole = makeHash();
      /** @type {Map<string, string | Uint8Array>} */
      const store = new Map();
      let figures = new Figures();
      let parts = new ActivityHash(figures, sha256);
      steps.forEach(([size, then], i) => {
        whole.add(largeRecord(i + 1, size));
        parts.add(largeRecord(i + 1, size));
        if (then === '') return;
        /** @type {Map<string, string | Uint8Array | undefined>} */
        const puts = new Map();
        parts.collect(puts);
        figures.collect(puts);
        for (const [key, value] of puts) {
          if (value === undefined) store.delete(key);
          else store.set(key, typeof value === 'string' ? value : value.slice());
        }
        if (then === 'save') return;
        const reader = /** @type {any} */ ({
          get: (/** @type {string} */ key) => store.get(key),
          getBytes: (/** @type {string} */ key) => store.get(key),
        });
        figures = new Figures();
        figures.load(reader);
        parts = new ActivityHash(figures, sha256);
        parts.load(reader);
      });
      t.is(parts.report(), whole.report());
    }),
    { numRuns: 60 },
  );
});

test('a dropped crank is in the hash with no syscalls', async t => {
  const bad = makeTestKernel({
    vats: {
      boot: (_delivery, call) => {
        call('subscribe', 'p+5');
        call('send', 'o-99', message('no such object'), null);
      },
    },
  });
  await bad.run();
  const writer = new ByteWriter();
  writeCrankRecord(
    writer,
    {
      ...first,
      vatId: 'v1',
      outcome: 'dropped',
      delivery: [
        'message',
        'ko20',
        { body: '#["bootstrap",[{"boot":"$0.Alleged: root"},{}]]', slots: ['ko20'] },
        'kp40',
      ],
      syscalls: [],
    },
    nothingBefore,
  );
  t.is(bad.kernel.activityHash(), sha256Hex(zeros, writer.view().slice()));
});

test('quiet cranks of reactors are hashed like any others', t => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.oneof(
            fc.constant(0),
            fc.integer({ min: 0, max: 300 }),
            fc.integer({ min: 0, max: 2 ** 40 }),
          ),
          fc.integer({ min: 0, max: 200 }),
          fc.integer({ min: 0, max: 200 }),
        ),
        { minLength: 1, maxLength: 40 },
      ),
      fc.constantFrom(1, 127, 128, 70_000),
      fc.nat({ max: 3 }),
      (steps, vatNumber, before) => {
        /** @param {(figures: Figures, hash: ActivityHash, quiet: TagLog) => void} add */
        const hashOf = add => {
          const figures = new Figures();
          const hash = new ActivityHash(figures, sha256);
          const quiet = new TagLog(steps.length);
          let timeNs = 0;
          let microstep = 0;
          for (const [elapsed, more, stage] of steps) {
            microstep = elapsed === 0 ? microstep + more : more;
            timeNs += elapsed;
            quiet.add(timeNs, microstep, stage);
          }
          // Cranks that nobody hashed, as a profile may have them.
          figures.write(figure.crankNumber, before);
          add(figures, hash, quiet);
          return hash.report();
        };
        t.is(
          hashOf((_figures, hash, quiet) => hash.addQuiet(vatNumber, quiet)),
          hashOf((figures, hash, quiet) => {
            let crank = before;
            quiet.each((timeNs, microstep, stage) => {
              crank += 1;
              hash.add({
                ...{ crank, timeNs, microstep, stage },
                class: 2,
                vatId: `v${vatNumber}`,
                outcome: 'kept',
                delivery: ['react', [], false, []],
                syscalls: [],
              });
            });
            t.is(figures.numbers[figure.hashedCrank], before + quiet.length);
          }),
        );
      },
    ),
  );
});
