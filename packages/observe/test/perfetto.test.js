import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { Program, Reactor, runFast } from '#reactor';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { makeTimelines, makeTraceWriter, traceTo, writeToFile } from '../perfetto/index.js';

/** @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur: number, args: any }} Event */

/** A clock that advances by a microsecond with each read. */
const tickingClock = () => {
  let now = 0;
  return {
    nowNs: () => (now += 1_000),
    sleep: () => ({ done: Promise.resolve(), wake: () => {} }),
  };
};

/**
 * @param {(write: (text: string) => void) => void} act
 * @returns {{ slices: (process: string, track: string) => Event[], tracks: (process: string) => string[], pieces: string[] }}
 */
const traceOf = act => {
  /** @type {string[]} */
  const pieces = [];
  act(text => pieces.push(text));
  /** @type {Event[]} */
  const events = JSON.parse(pieces.join(''));
  const named = (/** @type {string} */ kind) =>
    events.filter(({ ph, name }) => ph === 'M' && name === kind);
  const pidOf = (/** @type {string} */ process) =>
    named('process_name').find(({ args }) => args.name === process)?.pid;
  const threads = (/** @type {string} */ process) =>
    named('thread_name').filter(({ pid }) => pid === pidOf(process));
  return {
    pieces,
    tracks: process => threads(process).map(({ args }) => args.name),
    slices: (process, track) => {
      const pid = pidOf(process);
      const tid = threads(process).find(({ args }) => args.name === track)?.tid;
      return events.filter(event => event.ph === 'X' && event.pid === pid && event.tid === tid);
    },
  };
};

class Source extends Reactor {
  out = this.output();
  tick = this.timer(0, '10 us');
  again = this.action();
  emit = this.reaction({ triggers: this.tick, effects: [this.out, this.again] }, () => {
    this.out.set(1);
    this.again.schedule();
  });
  more = this.reaction({ triggers: this.again, effects: this.out }, () => this.out.set(2));
}

class Sink extends Reactor {
  in = this.input();
  take = this.reaction({ triggers: this.in, deadline: 0 }, () => {});
}

class Main extends Reactor {
  source = new Source(this);
  sink = new Sink(this);
  wire = this.connect(this.source.out, this.sink.in);
}

/** @param {(write: (text: string) => void) => import('#reactor').Observer} observe */
const traceMain = (observe = traceTo) =>
  traceOf(write => {
    runFast(new Main(), { timeout: '10 us', clock: tickingClock(), observer: observe(write) });
  });

test('each reactor has a track in logical and in physical time', t => {
  const { tracks } = traceMain();
  t.deepEqual(tracks('logical time'), ['tags', 'source', 'sink']);
  t.deepEqual(tracks('physical time'), ['tags', 'source', 'sink']);
});

test('in logical time a reaction is drawn at its tag, and the microsteps of an instant side by side', t => {
  const { slices } = traceMain();
  t.deepEqual(
    slices('logical time', 'tags').map(({ name, ts, dur }) => [name, ts, dur]),
    [
      ['0 ns', 0, 1],
      ['0 ns, microstep 1', 1, 1],
      ['10 µs', 10, 1],
    ],
  );
  t.deepEqual(
    slices('logical time', 'source').map(({ name, ts, dur, args }) => [name, ts, dur, args.tag]),
    [
      ['emit', 0, 0.5, '0ns.0'],
      ['more', 1, 0.5, '0ns.1'],
      ['emit', 10, 0.5, '10000ns.0'],
    ],
  );
});

test('in physical time a reaction has its duration, its tag and its level', t => {
  const { slices } = traceMain();
  const [first, second] = slices('physical time', 'source');
  t.is(first.dur, 1);
  t.true(second.ts >= first.ts + first.dur);
  t.deepEqual(first.args, { tag: '0ns.0', level: 0 });
  t.like(slices('physical time', 'tags')[1], { name: '0 ns, microstep 1' });
  const [late] = slices('physical time', 'sink');
  t.like(late, { name: 'take, late', args: { late: true, level: 2 } });
});

test('microsteps are narrower where the next instant comes sooner', t => {
  const { slices } = traceOf(write => {
    const timelines = makeTimelines(write);
    const record = (/** @type {number} */ timeNs, /** @type {number} */ microstep) => {
      timelines.tag(timeNs, microstep);
      timelines.record({ track: 'vat alice', name: 'crank', startNs: 0, endNs: 1 });
    };
    record(0, 0);
    record(0, 1);
    record(100, 0);
    timelines.close();
  });
  t.deepEqual(
    slices('logical time', 'vat alice').map(({ ts, dur }) => [ts, dur]),
    [
      [0, 0.05],
      [0.05, 0.05],
      [0.1, 1],
    ],
  );
});

test('slices of a track do not overlap, and none is lost', t => {
  const happenings = fc.array(
    fc.record({ afterNs: fc.nat(3_000), count: fc.nat(5), tookNs: fc.nat(2_000) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(happenings, list => {
      let timeNs = 0;
      let microstep = 0;
      let nowNs = 0;
      let total = 0;
      const { slices } = traceOf(write => {
        const timelines = makeTimelines(write);
        for (const { afterNs, count, tookNs } of list) {
          microstep = afterNs === 0 ? microstep + 1 : 0;
          timeNs += afterNs;
          timelines.tag(timeNs, microstep);
          for (let i = 0; i < count; i += 1) {
            timelines.record({
              track: 'a',
              name: `n${total}`,
              startNs: nowNs,
              endNs: nowNs + tookNs,
            });
            nowNs += tookNs;
            total += 1;
          }
        }
        timelines.close();
      });
      for (const process of ['logical time', 'physical time']) {
        for (const track of ['tags', 'a']) {
          const all = slices(process, track);
          if (track === 'a')
            t.deepEqual(
              all.map(({ name }) => name),
              Array.from({ length: total }, (_, i) => `n${i}`),
            );
          all.slice(1).forEach(({ ts }, i) => {
            // Times are rounded to the nanosecond.
            t.true(ts >= all[i].ts + all[i].dur - 0.001 - 1e-9, `${process} ${track}`);
          });
        }
      }
    }),
  );
});

test('a trace is written during the run, also within a long instant', t => {
  /** Goes on for ever at one instant. */
  class Round extends Reactor {
    a = this.action();
    left = 20_000;
    go = this.reaction({ triggers: [this.startup, this.a], effects: this.a }, () => {
      this.left -= 1;
      if (this.left > 0) this.a.schedule();
    });
  }
  const { pieces, slices } = traceOf(write => {
    runFast(new Round(), { observer: traceTo(write) });
  });
  t.true(pieces.length > 50);
  t.true(Math.max(...pieces.map(({ length }) => length)) < 70_000);
  t.is(slices('logical time', 'Round').length, 20_000);
  t.is(slices('logical time', 'Round')[19_999].args.tag, '0ns.19999');
});

test('a program that fails leaves a whole trace, with the reaction that failed', async t => {
  class Failing extends Reactor {
    go = this.reaction({ triggers: this.startup }, () => {
      throw Error('no');
    });
  }
  for (const run of [
    (/** @type {Program} */ program) => program.run(),
    async (/** @type {Program} */ program) => program.runFast(),
  ]) {
    /** @type {string[]} */
    const pieces = [];
    const observer = traceTo(text => pieces.push(text));
    await t.throwsAsync(run(new Program(new Failing(), { fast: true, observer })), {
      message: /: no$/,
    });
    t.true(JSON.parse(pieces.join('')).some((/** @type {Event} */ { name }) => name === 'go'));
  }
});

test('an observer does not change a program', t => {
  const counts = (/** @type {object} */ options) =>
    runFast(new Main(), { timeout: '1 ms', clock: tickingClock(), ...options }).counts;
  t.deepEqual(counts({ observer: traceTo(() => {}) }), counts({}));
});

test('names with any characters give valid JSON', t => {
  const name = 'a "b" \\ \n \u2028';
  const { slices } = traceOf(write => {
    const writer = makeTraceWriter(write);
    writer
      .process(name)
      .track(name)
      .slice(name, 0, 1, { [name]: name });
    writer.close();
    writer.close();
  });
  t.is(slices(name, name)[0].args[name], name);
});

test('a trace is written to a file, and a failure is an error that names the file', t => {
  const dir = temporaryDirectory(t, 'trace');
  const file = path.join(dir, 'trace.json');
  runFast(new Main(), { timeout: 0, observer: traceTo(writeToFile(file)) });
  t.true(JSON.parse(fs.readFileSync(file, 'utf8')).length > 5);
  t.throws(() => writeToFile(path.join(dir, 'none', 'trace.json')), {
    message: /^trace ".*trace.json" cannot be written \(ENOENT\); name a file/,
  });
});
