// A ring passes frames of any length from one thread to another, in order and whole, however small it is.

import { Worker } from 'node:worker_threads';
import test from 'ava';
import fc from 'fast-check';

import { Bell, makeRingMemory, RingReader, RingWriter } from '../index.js';
import { makeLoadWatch } from '../load-watch.js';

/** A ring whose two ends are on this thread. @param {number} size */
const makePair = size => {
  const memory = makeRingMemory(size);
  const bell = new Bell(Bell.makeMemory());
  /** @type {Uint8Array[]} */
  const frames = [];
  const reader = new RingReader(memory, () => {});
  const readAll = () => {
    for (let frame = reader.read(); frame !== undefined; frame = reader.read())
      frames.push(frame.slice());
  };
  return { writer: new RingWriter(memory, bell), readAll, frames };
};

test('frames come out whole and in order, from empty ones to many times the ring', t => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 700 }), fc.boolean()), { maxLength: 60 }),
      fc.constantFrom(16, 64, 1024),
      (steps, size) => {
        const { writer, readAll, frames } = makePair(size);
        const sent = steps.map(([length], i) => new Uint8Array(length).fill(i));
        steps.forEach(([, reads], i) => {
          writer.write(sent[i]);
          if (reads) readAll();
        });
        while (!writer.flush()) readAll();
        readAll();
        t.deepEqual(frames, sent);
      },
    ),
    { numRuns: 200 },
  );
});

test('positions go past 2^32', t => {
  const memory = makeRingMemory(64);
  const words = new Int32Array(memory, 0, 2);
  words.fill(-20);
  const bell = new Bell(Bell.makeMemory());
  const reader = new RingReader(memory, () => {});
  const writer = new RingWriter(memory, bell);
  for (let i = 0; i < 10; i += 1) {
    writer.write(Uint8Array.of(i, i, i));
    t.deepEqual(reader.read(), Uint8Array.of(i, i, i));
  }
  t.is(words[0], 50);
});

test('a frame with a length that no frame has is refused', t => {
  const memory = makeRingMemory(64);
  new Uint8Array(memory, 8).fill(255);
  new Int32Array(memory, 0, 1)[0] = 40;
  t.throws(() => new RingReader(memory, () => {}).read(), {
    message: 'a frame of 4294967295 bytes',
  });
});

test('a wait for a bell that has rung since ends at once; any other ends with its timeout', t => {
  const bell = new Bell(Bell.makeMemory(), 10_000);
  const { count } = bell;
  t.false(bell.await(count, 1));
  bell.ring();
  t.true(bell.await(count, 10_000));
});

test('a thread spins while the machine has little to do, and asks now and then whether that is so', t => {
  let load = 4;
  let times = 0;
  const readLoad = () => {
    times += 1;
    return load;
  };
  const isBusy = makeLoadWatch({ readLoad, cores: 2 });
  t.true(isBusy(0));
  load = 3.9;
  t.true(isBusy(1_999));
  t.is(times, 1);
  t.false(isBusy(2_000));
  t.is(times, 2);

  let isLoaded = true;
  const bell = new Bell(Bell.makeMemory(), 10_000, () => isLoaded);
  t.false(bell.spins);
  t.false(bell.await(bell.count, 1));
  isLoaded = false;
  t.true(bell.spins);
  t.false(bell.await(bell.count, 1));
  t.false(new Bell(Bell.makeMemory(), 0, () => false).spins);
});

test('a thread that sleeps is woken by each frame, however the rings and the sleep fall', async t => {
  const [to, from] = [makeRingMemory(1024), makeRingMemory(1024)];
  const [theirBell, ownBell] = [Bell.makeMemory(), Bell.makeMemory()];
  const worker = new Worker(new URL('./echo-thread.js', import.meta.url), {
    workerData: { to, from, theirBell, ownBell },
  });
  const bell = new Bell(ownBell);
  const reader = new RingReader(from, () => {});
  const writer = new RingWriter(to, new Bell(theirBell));
  let isLost = false;
  for (let i = 0; i < 5_000 && !isLost; i += 1) {
    // A thread falls asleep while another rings for the frame before.
    for (let n = i % 3; n >= 0; n -= 1) writer.write(Uint8Array.of(i, n));
    for (let n = i % 3; n >= 0 && !isLost;) {
      const { count } = bell;
      const frame = reader.read();
      if (frame === undefined) isLost = !bell.await(count, 30_000);
      else {
        t.deepEqual([...frame], [i % 256, n]);
        n -= 1;
      }
    }
  }
  t.false(isLost);
  await worker.terminate();
});

test('a thread whose event loop turns is woken by each ring, and not by one that it has heard', async t => {
  const bell = new Bell(Bell.makeMemory());
  // Sleeping does not keep a process.
  const keeping = setInterval(() => {}, 1_000);
  t.teardown(() => clearInterval(keeping));
  for (let i = 0; i < 200; i += 1) {
    const { count } = bell;
    setImmediate(() => bell.ring());
    // So long that the test would not end.
    await bell.awaitTurning(count, 1_000_000);
    t.is(bell.count, count + 1);
  }
  const before = bell.count;
  bell.ring();
  await bell.awaitTurning(before, 1_000_000);
  await bell.awaitTurning(bell.count, 1);
  t.is(bell.count, before + 1);
});

test('marks of threads that sleep are told apart past 2^31', t => {
  const memory = Bell.makeMemory();
  const words = new Int32Array(memory);
  for (const before of [0, 2 ** 30 - 1, 2 ** 31 - 1, -1]) {
    const bell = new Bell(memory);
    words[0] = before;
    t.false(bell.await(before, 1), 'nothing rang');
    // As a thread leaves it that falls asleep.
    words[1] = (before << 1) | 1;
    bell.ring();
    t.is(words[1], 0, 'a ring that it has not heard takes the mark');
    words[1] = ((before + 2) << 1) | 1;
    bell.ring();
    t.is(words[1], ((before + 2) << 1) | 1, 'one that it has heard does not');
    words[1] = 0;
  }
});

test('two threads send each other everything, through rings smaller than the frames', async t => {
  const [to, from] = [makeRingMemory(256), makeRingMemory(256)];
  const [theirBell, ownBell] = [Bell.makeMemory(), Bell.makeMemory()];
  const worker = new Worker(new URL('./echo-thread.js', import.meta.url), {
    workerData: { to, from, theirBell, ownBell },
  });
  const bell = new Bell(ownBell, 20_000);
  /** @type {Uint8Array[]} */
  const back = [];
  const reader = new RingReader(from, () => new Bell(theirBell).ring());
  const drain = () => {
    for (let frame = reader.read(); frame !== undefined; frame = reader.read())
      back.push(frame.slice());
  };
  const writer = new RingWriter(to, new Bell(theirBell));
  const sent = Array.from({ length: 2000 }, (_, i) => new Uint8Array((i * 37) % 1000).fill(i));
  for (const frame of sent) writer.write(frame);
  while (back.length < sent.length) {
    const { count } = bell;
    writer.flush();
    drain();
    if (back.length < sent.length) bell.await(count, 5);
  }
  t.deepEqual(back, sent);
  await worker.terminate();
});

test('a writer tells how many bytes have found no room', t => {
  const memory = makeRingMemory(64);
  const writer = new RingWriter(memory, new Bell(Bell.makeMemory()));
  const reader = new RingReader(memory, () => {});
  writer.write(new Uint8Array(100));
  t.is(writer.leftBytes, 100 + 4 - 64);
  t.is(reader.read(), undefined);
  writer.flush();
  t.is(writer.leftBytes, 0);
  t.is(reader.read()?.length, 100);
});
