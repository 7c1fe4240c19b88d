// `report --parallelism` is right for runs that can be counted by hand, and agrees with the cranks that the kernel
// begins early in random programs.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { makeSlog } from '#observe/slog';
import { makeRandomProgram, makeTestKernel, message, runRandomProgram } from '#testkit';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { OverlapReader } from '../parallelism/overlap.js';
import { readParallelism } from '../parallelism/index.js';
import { longestVat, makespanOf, workOf } from '../parallelism/schedule.js';

/** @import { Step } from '../parallelism/overlap.js' */
/** @import { React } from '#testkit' */

/**
 * @param {string} vatId
 * @param {number} after
 * @param {Partial<Step>} [more]
 * @returns {Step}
 */
const step = (vatId, after, more = {}) => ({
  ...{ vatId, after, wait: undefined, closes: false, vatNs: 10, kernelNs: 1 },
  ...more,
});

/** @param {Step[]} steps @param {'cranks' | 'ns'} unit @param {number[]} counts */
const lengths = (steps, unit, counts = [1, 2, 3, Infinity]) =>
  counts.map(threads => makespanOf(steps, threads, unit));

test('cranks of different vats overlap up to the number of threads', t => {
  const steps = ['v1', 'v2', 'v3', 'v4', 'v5'].map(vatId => step(vatId, 0));
  t.deepEqual(lengths(steps, 'cranks'), [5, 3, 2, 1]);
  // The kernel writes effects serially: five units after the ten in the vats.
  t.is(makespanOf(steps, Infinity, 'ns'), 15);
  t.is(workOf(steps, 'ns'), 55);
  t.is(longestVat(steps), 1);
});

test('cranks of one vat run one after the other, and other vats do not wait for them', t => {
  const steps = [step('v1', 0), step('v1', 1), step('v1', 2), step('v2', 0)];
  t.deepEqual(lengths(steps, 'cranks'), [4, 3, 3, 3]);
  t.is(longestVat(steps), 3);
});

test('an item that may begin only as the head waits for all items before it', t => {
  const steps = [step('v1', 0), step('v2', 1), step('v3', 1), step('v4', 3)];
  t.deepEqual(lengths(steps, 'cranks'), [4, 3, 3, 3]);
});

test('no crank begins after a head that calls a device', t => {
  // With three threads all begin at once; with two the third crank begins when the head is written.
  const steps = [step('v1', 0, { closes: true, vatNs: 30 }), step('v2', 0), step('v3', 0)];
  t.is(makespanOf(steps, 3, 'ns'), 33);
  t.is(makespanOf(steps, 2, 'ns'), 30 + 1 + 10 + 1);
  t.is(makespanOf([{ ...steps[0], closes: false }, ...steps.slice(1)], 2, 'ns'), 33);
});

test('reactions of one stage begin together, and those of a later stage behind all before it', t => {
  const reader = new OverlapReader();
  reader.beginTag();
  const read = (/** @type {string} */ kind, /** @type {string} */ vatID, stage = 0) => {
    const { after, wait } = reader.read({
      type: 'crank',
      kind,
      vatID,
      stage,
      delivery: [kind, []],
    });
    return [after, wait];
  };
  t.deepEqual(read('react', 'v1'), [0, undefined]);
  t.deepEqual(read('react', 'v2'), [0, undefined]);
  t.deepEqual(read('react', 'v3', 1), [2, 'reaction']);
  t.is(reader.readQuiet('v4', 1).after, 2);
  t.deepEqual(read('react', 'v1', 2), [4, 'reaction']);
  reader.beginTag();
  t.deepEqual(read('send', 'v1'), [0, undefined]);
  t.deepEqual(read('react', 'v1'), [1, 'vat']);
  reader.beginTag();
  t.deepEqual(read('start', 'v5'), [0, undefined]);
  t.deepEqual(read('react', 'v1'), [1, 'start']);
});

test('a step of the kernel takes no thread', t => {
  const steps = [
    step('', 0, { vatNs: 0 }),
    step('v1', 0),
    step('', 1, { vatNs: 0 }),
    step('v2', 0),
  ];
  t.deepEqual(lengths(steps, 'cranks'), [2, 1, 1, 1]);
});

test('a schedule is never longer than the serial one, never shorter than the work of a thread', t => {
  let random = 7;
  const below = (/** @type {number} */ bound) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((random / 2 ** 32) * bound);
  };
  for (let run = 0; run < 300; run += 1) {
    const steps = Array.from({ length: 1 + below(30) }, (_, place) =>
      step(below(9) === 0 ? '' : `v${below(5)}`, below(place + 1), {
        closes: below(8) === 0,
        vatNs: below(50),
        kernelNs: below(5),
      }),
    );
    const work = workOf(steps, 'ns');
    for (const threads of [1, 2, 4, Infinity]) {
      const length = makespanOf(steps, threads, 'ns');
      t.true(length <= work, `run ${run}, ${threads} threads`);
      const inVats = steps.reduce((sum, { vatId, vatNs }) => sum + (vatId ? vatNs : 0), 0);
      t.true(length >= inVats / threads, `run ${run}, ${threads} threads`);
    }
  }
});

/** The slog of a run, in a file. @param {import('ava').ExecutionContext} t */
const openSlog = t => {
  const file = path.join(temporaryDirectory(t), 'run.slog');
  const slog = makeSlog({ write: lines => fs.appendFileSync(file, lines) });
  return { file, slog };
};

/**
 * The first vat sends one message to each of the others when it gets its first; each of those has `then` do something.
 *
 * @param {import('ava').ExecutionContext} t
 * @param {number} count  of other vats
 * @param {React} [then]
 */
const fanOut = async (t, count, then = () => {}) => {
  const { file, slog } = openSlog(t);
  /** @type {Record<string, React>} */
  const vats = {
    first: (_delivery, call, crank) => {
      if (crank !== 1) return;
      for (let i = 0; i < count; i += 1) call('send', `o-${50 + i}`, message('go', ['o+0']), null);
    },
  };
  for (let i = 1; i <= count; i += 1) vats[`other${i}`] = then;
  const run = makeTestKernel({ vats, crankObserver: slog.crankObserver });
  slog.begin(run.kernel);
  await run.run();
  slog.flush();
  return readParallelism(file);
};

test('messages of one crank to eight vats make a tag of eight cranks', async t => {
  const found = await fanOut(t, 8);
  // One crank of the first vat, then one of each other.
  t.like(found, { cranks: 9, tags: 2, vats: 9, timedCranks: 9, vatSpan: 2 });
  t.is(found.work.cranks, 9);
  t.is(found.span.cranks, 2);
  t.deepEqual(
    found.threads.map(({ threads, cranks }) => [threads, cranks]),
    [
      [1, 9],
      [2, 1 + 4],
      [4, 1 + 2],
      [8, 1 + 1],
      [Infinity, 1 + 1],
    ],
  );
  t.deepEqual(found.cranksPerTag, {
    mean: 4.5,
    median: 1,
    p90: 8,
    max: 8,
    counts: [
      { from: 1, to: 1, tags: 1 },
      { from: 5, to: 8, tags: 1 },
    ],
  });
  t.deepEqual(found.vatsPerTag, found.cranksPerTag);
  t.like(found.waits, { nothing: 9, vat: 0, device: 0 });
  const [{ ns: serialNs }] = found.threads;
  t.is(serialNs, found.work.ns);
  t.true(found.span.ns <= serialNs);
});

test('items of one vat run one after the other', async t => {
  // Each of the four sends two messages back to the first vat, whose root is theirs as o-50.
  const found = await fanOut(t, 4, (_delivery, call, crank) => {
    if (crank !== 1) return;
    call('send', 'o-50', message('one'), null);
    call('send', 'o-50', message('two'), null);
  });
  t.like(found, { cranks: 1 + 4 + 8, tags: 3, vats: 5, vatSpan: 1 + 1 + 8 });
  t.is(found.span.cranks, 1 + 1 + 8);
  t.like(found.waits, { nothing: 1 + 4 + 1, vat: 7 });
});

test('random programs: the kernel begins nearly each crank as early as the report, or earlier', async t => {
  let cranks = 0;
  let early = 0;
  let exact = 0;
  let late = 0;
  let strict = 0;
  for (let turn = 2; turn <= 81; turn += 1) {
    const seed = Math.floor(turn / 2);
    // The host interrupts no run here, so no crank begins late.
    const program = { ...makeRandomProgram(`parallelism ${seed}`), interrupts: [] };
    // Vats that the device makes may be asked, too.
    let mayAsk = turn % 2 === 0;
    let vatCount = 0;
    const { makeVats } = program;
    program.makeVats = (...args) => {
      const vats = Object.entries(makeVats(...args));
      vatCount = vats.length;
      const options = mayAsk ? {} : { options: { reapInterval: 'never' } };
      return Object.fromEntries(vats.map(([name, vat]) => [name, { ...vat, ...options }]));
    };
    let text = '';
    const slog = makeSlog({ write: lines => (text += Buffer.from(lines)) });
    let headNumber = 0;
    let hasHead = false;
    /** For each vat, the heads with which its deliveries began. @type {Map<string, number[]>} */
    const begun = new Map();
    /** Vats that have called a device. @type {Set<string>} */
    const callers = new Set();
    /** By the number of the crank. @type {Map<number, number>} */
    const begins = new Map();
    await runRandomProgram(program, {
      lookahead: 1_000_000,
      crankObserver: {
        ...slog.crankObserver,
        begins(flight, number) {
          hasHead = number !== 0;
          headNumber = number;
          slog.crankObserver.begins?.(flight, number);
        },
        applied(flight) {
          slog.crankObserver.applied?.(flight);
          const at = flight.plan === null ? undefined : begun.get(flight.vatId)?.shift();
          if (hasHead && at !== undefined) begins.set(headNumber, at);
          if (flight.outcome !== 'kept') begun.delete(flight.vatId);
        },
      },
      wrapTransport: (transport, vatId, run = () => {}) => ({
        begin(delivery, answer, when) {
          if (Number(vatId.slice(1)) > vatCount) mayAsk = true;
          const isBirth = delivery[0] === 'startVat' && program.profile === '2020-09';
          if (!isBirth) {
            if (!begun.has(vatId)) begun.set(vatId, []);
            begun.get(vatId)?.push(headNumber);
          }
          /** @type {typeof answer} */
          const noting = (syscall, earlier) => {
            if (syscall[0] === 'callNow') callers.add(vatId);
            return answer(syscall, earlier);
          };
          run = () => transport.begin(delivery, noting, when);
        },
        waitsForTurn: true,
        mayOvertake: () => !callers.has(vatId),
        // As on a thread, a head's device calls come after other cranks have begun.
        finish: async () => {
          run();
          return transport.finish();
        },
        close: () => transport.close(),
      }),
    });
    slog.flush();
    const reader = new OverlapReader();
    let tag = '';
    let first = 0;
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
      .filter(({ type }) => type === 'crank');
    while (lines[0].crankNum === 0) reader.readOutside(lines.shift());
    for (const line of lines) {
      const now = `${line.timeNs ?? 0}.${line.microstep}`;
      if (now !== tag) {
        reader.beginTag();
        first = line.crankNum;
        tag = now;
      }
      const { vatId, after } = reader.read(line);
      const began = begins.get(line.crankNum);
      if (vatId === '' || began === undefined) continue;
      // A vat that calls devices may begin behind others that have begun; the report lets it wait for all.
      if (!callers.has(vatId)) cranks += 1;
      // Only for a head that reaches a vat the kernel looks ahead.
      let said = first + after;
      while (said < line.crankNum && lines[said - lines[0].crankNum].delivery === undefined)
        said += 1;
      if (began < line.crankNum) early += 1;
      if (began === said && !callers.has(vatId)) exact += 1;
      // The kernel waits where a vat may be asked for its dead references, which the report knows afterwards.
      if (mayAsk && began > said) late += 1;
      else
        t.true(began <= said, `seed ${seed}, crank ${line.crankNum}: began ${began}, said ${said}`);
    }
    if (!mayAsk) strict += 1;
  }
  t.true(strict > 10, `${strict} programs in which no vat may be asked`);
  t.true(early > 200, `${early} of ${cranks} began early`);
  t.true(late < 0.02 * cranks, `${late} of ${cranks} began later`);
  t.true(exact > 0.97 * cranks, `${exact} of ${cranks} began exactly then`);
});

test('a file that is not a slog is refused with one line', t => {
  const dir = temporaryDirectory(t);
  const head = JSON.stringify({ type: 'slog', version: 2, crankNum: 0 });
  const crank = JSON.stringify({ type: 'crank', crankNum: 1, kind: 'send', microstep: 0 });
  /** @type {[string, RegExp][]} */
  const cases = [
    ['', /has no crank that reached a vat/],
    ['block\tsteps\n1\t2\n', /has no JSON in line 1/],
    ['{"cranks":7}\n', /does not begin as a slog/],
    ['[1]\n', /does not begin as a slog/],
    [`${head.replace('2', '99')}\n`, /is of version 99 of the slog, not 2/],
    [`${head}\n`, /has no crank that reached a vat/],
    [`${head}\n${crank}\n`, /has no crank that reached a vat/],
    [`${head}\nnonsense\n${crank}\n`, /has no JSON in line 2/],
    [
      `${head}\n{"type":"crank","crankNum":1,"vatID":"v1","delivery":["notify",7]}\n`,
      /has no line of a slog in line 2/,
    ],
    [`${head}\n{"type":"quiet","vatID":"v1","tags":7}\n`, /has no line of a slog in line 2/],
  ];
  cases.forEach(([text, expected], i) => {
    const file = path.join(dir, `${i}.slog`);
    fs.writeFileSync(file, text);
    const error = t.throws(() => readParallelism(file), { message: expected });
    t.is(error?.name, 'UserError');
    t.regex(String(error?.message), /; --parallelism takes what --slog writes$/);
  });
  t.throws(() => readParallelism(dir), { message: /is a directory/ });
});

test('a truncated last line is left out', async t => {
  const { file, slog } = openSlog(t);
  const run = makeTestKernel({ vats: { only: () => {} }, crankObserver: slog.crankObserver });
  slog.begin(run.kernel);
  await run.run();
  slog.flush();
  fs.appendFileSync(file, '{"type":"crank","crankNum":9,"ki');
  t.is(readParallelism(file).cranks, 1);
});
