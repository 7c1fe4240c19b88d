import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { schemaVersion } from '#model';
import {
  makeMemoryStore,
  maxKeyBytes,
  openLmdbStore,
  provideLmdbStore,
  storeContents,
  storeDigest,
} from '#store';
import { blockOf, fastDirectory, temporaryDirectory } from './helpers.js';
import { durabilities, puts, text, key } from './stores.js';

/** @import { Batch, Store } from '#store' */

/**
 * Each test runs against both kinds.
 *
 * @param {string} title
 * @param {(t: import('ava').ExecutionContext, store: Store) => unknown} check
 */
const withBoth = (title, check) => {
  test(`memory: ${title}`, async t => {
    const store = makeMemoryStore();
    await check(t, store);
    await store.close();
  });
  test(`lmdb: ${title}`, async t => {
    const dir = temporaryDirectory(t);
    const store = openLmdbStore({ dir, durability: 'none', create: true });
    await check(t, store);
    await store.close();
  });
};

withBoth('a new store is empty, and its first block also writes the schema version', (t, store) => {
  t.deepEqual([...store.entries('')], []);
  t.is(store.nextKey('', ''), undefined);
  store.commit(puts([['a', '1']]));
  t.deepEqual(
    [...store.entries('')],
    [
      ['a', '1'],
      ['schema', String(schemaVersion)],
    ],
  );
});

test('a directory has a state to be provided once a block was committed there', async t => {
  const dir = temporaryDirectory(t);
  const provide = () => provideLmdbStore({ dir, durability: 'commit' });
  await openLmdbStore({ dir, durability: 'commit', create: true }).close();
  t.throws(() => openLmdbStore({ dir, durability: 'commit', create: false }), {
    message: /no saved state here/,
  });
  const first = provide();
  t.throws(provide, { message: /in use/ });
  first.commit(puts([['a', '1']]));
  await first.close();
  const second = provide();
  t.is(second.get('a'), '1');
  await second.close();
});

test('a second close waits for the first', async t => {
  const dir = temporaryDirectory(t);
  for (const durability of durabilities) {
    const store = openLmdbStore({ dir, durability, create: true });
    store.commit(puts([['a', durability]]));
    const first = store.close();
    await store.close();
    // The directory is free, although nobody waited for the first call.
    const again = openLmdbStore({ dir, durability, create: false });
    t.is(again.get('a'), durability);
    await Promise.all([first, again.close()]);
  }
});

test('a damaged state is never replaced by an empty one that is provided', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'commit', create: true });
  store.commit(puts([['a', '1']]));
  await store.close();
  const database = path.join(dir, 'data.mdb');
  const bytes = fs.readFileSync(database);
  const provide = () => provideLmdbStore({ dir, durability: 'commit' });
  fs.writeFileSync(database, bytes.fill(0xff, 0, 8192));
  t.throws(provide, { message: /data\.mdb/ });
  t.deepEqual(fs.readFileSync(database), bytes);
  fs.writeFileSync(database, '');
  t.throws(provide, { message: /not a database/ });
  fs.writeFileSync(path.join(dir, 'blocks.log'), 'blocks');
  t.throws(provide, { message: /not a database/ });
  t.is(fs.readFileSync(path.join(dir, 'blocks.log'), 'utf8'), 'blocks');
});

withBoth('a text and its bytes are the same value', (t, store) => {
  store.commit(
    puts([
      ['text', 'é€😀'],
      ['bytes', Buffer.from('é€😀')],
      ['empty', ''],
      ['raw', Uint8Array.of(0xff, 0)],
    ]),
  );
  t.is(store.get('bytes'), 'é€😀');
  t.deepEqual(Buffer.from(store.getBytes('text') ?? []), Buffer.from('é€😀'));
  t.is(store.get('empty'), '');
  t.deepEqual([...(store.getBytes('raw') ?? [])], [0xff, 0]);
  t.is(store.get('none'), undefined);
  t.is(store.getBytes('none'), undefined);
});

withBoth('a lone surrogate in a value becomes U+FFFD at once', (t, store) => {
  store.commit(puts([['a', 'x\ud800y']]));
  t.is(store.get('a'), 'x\ufffdy');
});

withBoth('bytes may be changed by their owner after the commit', (t, store) => {
  const value = Buffer.from('value');
  const entry = Buffer.from('entry');
  store.commit({ puts: new Map([['a', value]]), appends: new Map([['s', entry]]) });
  value.fill(0);
  entry.fill(0);
  t.is(store.get('a'), 'value');
  t.is(Buffer.from(store.readStream('s')).toString(), 'entry');
});

withBoth('keys come in the order of their UTF-8 bytes', (t, store) => {
  const keys = ['\u0001', 'B', 'a', 'a\0', 'a\0b', 'aa', 'é', '\uffee', '😀', '😁'];
  store.commit(puts([...keys].reverse().map(key => [key, key])));
  t.deepEqual(
    [...store.entries('')].map(([key]) => key).filter(key => key !== 'schema'),
    keys,
  );
});

withBoth('the next key is the smallest after the prior one with the prefix', (t, store) => {
  store.commit(puts(['p', 'pa', 'pb', 'q'].map(key => [key, ''])));
  t.is(store.nextKey('', 'p'), 'p');
  t.is(store.nextKey('p', 'p'), 'pa');
  t.is(store.nextKey('pa', 'p'), 'pb');
  t.is(store.nextKey('pb', 'p'), undefined);
  t.is(store.nextKey('pab', 'p'), 'pb');
  t.is(store.nextKey('x', 'p'), undefined);
});

withBoth('entries see a commit made between two of them', (t, store) => {
  store.commit(puts(['a', 'b', 'c', 'd'].map(key => [key, '1'])));
  const seen = [];
  for (const [key, value] of store.entries('')) {
    seen.push(key + value);
    if (key === 'a')
      store.commit(
        puts([
          ['b', undefined],
          ['c', '2'],
        ]),
      );
  }
  t.deepEqual(seen, ['a1', 'c2', 'd1', `schema${schemaVersion}`]);
});

withBoth('an unknown stream is empty, and one without bytes has no name', (t, store) => {
  store.commit({ puts: new Map(), appends: new Map([['nothing', new Uint8Array(0)]]) });
  t.is(store.streamLength('nothing'), 0);
  t.is(store.readStream('nothing').length, 0);
  t.deepEqual([...store.streamChunks('nothing')], []);
  t.deepEqual(store.streamNames(), []);
});

withBoth('a stream that is dropped and appended to in one block starts afresh', (t, store) => {
  store.commit({ puts: new Map(), appends: new Map([['s', Buffer.from('old')]]) });
  store.commit({
    puts: new Map(),
    appends: new Map([['s', Buffer.from('new')]]),
    deleteStreams: new Set(['s']).values(),
  });
  t.is(Buffer.from(store.readStream('s')).toString(), 'new');
  store.commit({ puts: new Map(), deleteStreams: ['s'] });
  t.deepEqual(store.streamNames(), []);
});

withBoth('a block with a bad key changes nothing and the next one is taken', (t, store) => {
  store.commit(puts([['a', '1']]));
  for (const key of ['', 'x'.repeat(maxKeyBytes + 1), 'é'.repeat(maxKeyBytes / 2 + 1), 'x\udc00']) {
    t.throws(
      () =>
        store.commit(
          puts([
            ['a', '2'],
            [key, '2'],
          ]),
        ),
      { name: 'KernelBug' },
    );
  }
  t.throws(
    () =>
      store.commit({
        puts: new Map([['a', '2']]),
        appends: new Map([['s\0', Buffer.from('x')]]),
      }),
    { name: 'KernelBug' },
  );
  t.is(store.get('a'), '1');
  store.commit(puts([['x'.repeat(maxKeyBytes), '3']]));
  t.is(store.get('x'.repeat(maxKeyBytes)), '3');
});

withBoth('the contents leave out what is local', (t, store) => {
  store.commit({
    puts: new Map([
      ['a', '1'],
      ['local.size', '5'],
    ]),
    appends: new Map([
      ['s', Buffer.from('x')],
      ['local.log', Buffer.from('y')],
    ]),
  });
  const { entries, streams } = storeContents(store);
  t.deepEqual(
    entries.map(([key]) => key),
    ['a', 'schema'],
  );
  t.deepEqual(
    streams.map(([name]) => name),
    ['s'],
  );
  const digest = storeDigest(store);
  store.commit(puts([['local.size', '6']]));
  t.is(storeDigest(store), digest);
  store.commit(puts([['b', '']]));
  t.not(storeDigest(store), digest);
});

const streamName = fc.constantFrom('inputs', 'transcript.v1', 'transcript.v2', 'transcript.v10');

const batch = fc.record({
  puts: fc
    .array(
      fc.tuple(
        key,
        fc.option(fc.oneof(text, fc.uint8Array({ maxLength: 20 })), { nil: undefined }),
      ),
      {
        maxLength: 12,
      },
    )
    .map(list => new Map(list)),
  appends: fc
    .array(
      fc.tuple(
        streamName,
        fc.oneof(fc.nat(300), fc.nat(9000)).map(n => Buffer.alloc(n, n)),
      ),
      {
        maxLength: 3,
      },
    )
    .map(list => new Map(list)),
  deleteStreams: fc
    .array(streamName, { maxLength: 1 })
    .chain(list => fc.constantFrom([], [], [], list)),
});

const steps = fc.array(
  fc.oneof({ weight: 6, arbitrary: batch }, { weight: 1, arbitrary: fc.constant('reopen') }),
  {
    maxLength: 40,
  },
);

/** The store as a plain Map would have it: values and streams as bytes. */
const makeModel = () => {
  /** @type {Map<string, Buffer>} */
  const table = new Map();
  /** @type {Map<string, Buffer>} */
  const streams = new Map();
  /** @type {(map: Map<string, Buffer>) => [string, Buffer][]} */
  const sorted = map =>
    [...map].sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  return {
    /** @param {Batch} block */
    commit({ puts: changes, appends, deleteStreams }) {
      table.set('schema', Buffer.from(String(schemaVersion)));
      for (const name of deleteStreams ?? []) streams.delete(name);
      changes.forEach((value, name) => {
        if (value === undefined) table.delete(name);
        else table.set(name, Buffer.from(/** @type {string} */ (value)));
      });
      appends?.forEach((bytes, name) => {
        if (bytes.length > 0)
          streams.set(name, Buffer.concat([streams.get(name) ?? Buffer.of(), bytes]));
      });
    },
    contents: () => ({ entries: sorted(table), streams: sorted(streams) }),
    keys: () => sorted(table).map(([name]) => name),
  };
};

test('both kinds hold what a Map would, through every reopening', async t => {
  const parent = temporaryDirectory(t, fastDirectory);
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.constantFrom(...durabilities),
      fc.constantFrom(2_000, 20_000, 1_000_000),
      fc.boolean(),
      async (list, durability, logBytes, crash) => {
        number += 1;
        let dir = path.join(parent, String(number));
        const model = makeModel();
        const memory = makeMemoryStore();
        let store = openLmdbStore({ dir, durability, create: true, logBytes });
        let blocks = 0;
        for (const step of list) {
          if (step !== 'reopen') {
            model.commit(step);
            memory.commit(step);
            store.commit(step);
            blocks += 1;
          } else if (blocks > 0) {
            if (crash) {
              // The files as another process would find them after this one was killed.
              const copy = `${dir}c`;
              fs.cpSync(dir, copy, { recursive: true });
              fs.rmSync(path.join(copy, 'store.lock'));
              await store.close();
              dir = copy;
            } else {
              await store.close();
              t.deepEqual(fs.readdirSync(dir).sort(), ['data.mdb', 'data.mdb-lock']);
            }
            store = openLmdbStore({ dir, durability, create: false, logBytes });
          }
          const expected = model.contents();
          t.deepEqual(storeContents(memory), expected);
          t.deepEqual(storeContents(store), expected);
          t.deepEqual(
            store.streamNames().map(name => store.streamLength(name)),
            expected.streams.map(([, bytes]) => bytes.length),
          );
          const keys = model.keys();
          for (const prefix of ['', 'c.', 'b']) {
            const found = [];
            for (let next = store.nextKey('', prefix); next !== undefined;) {
              t.is(memory.nextKey(found.at(-1) ?? '', prefix), next);
              found.push(next);
              next = store.nextKey(next, prefix);
            }
            t.deepEqual(
              found,
              keys.filter(name => name.startsWith(prefix)),
            );
          }
        }
        t.is(storeDigest(store), storeDigest(memory));
        await store.close();
        fs.rmSync(dir, { recursive: true });
      },
    ),
    { numRuns: 60 },
  );
});

test('the state does not depend on how bytes were divided into blocks', async t => {
  const digests = [];
  for (const blocksAtOnce of [1, 3, 50]) {
    const dir = temporaryDirectory(t);
    const store = openLmdbStore({ dir, durability: 'none', create: true, logBytes: 10_000 });
    for (let first = 1; first <= 150; first += blocksAtOnce) {
      const whole = { puts: new Map(), appends: new Map() };
      for (let n = first; n < first + blocksAtOnce; n += 1) {
        const { puts: changes, appends } = blockOf(1, n);
        changes.forEach((value, name) => whole.puts.set(name, value));
        appends?.forEach((bytes, name) => {
          whole.appends.set(name, Buffer.concat([whole.appends.get(name) ?? Buffer.of(), bytes]));
        });
      }
      store.commit(whole);
    }
    await store.close();
    const again = openLmdbStore({ dir, durability: 'none', create: false });
    digests.push(storeDigest(again));
    await again.close();
  }
  t.is(new Set(digests).size, 1);
});

test('a stream read while a checkpoint moves it is read right', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'none', create: true, logBytes: 300_000 });
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7) & 0xff));
  store.commit({ puts: new Map(), appends: new Map([['s', bytes.subarray(0, 150_000)]]) });
  store.commit({ puts: new Map(), appends: new Map([['s', bytes.subarray(150_000)]]) });
  const found = [];
  for (const chunk of store.streamChunks('s')) {
    found.push(chunk);
    store.commit({ puts: new Map(), appends: new Map([['s', Buffer.alloc(250_000)]]) });
  }
  t.deepEqual(Buffer.concat(found), bytes);
  await store.close();
});

test('a stream takes little more room on disk than it has bytes', async t => {
  const dir = temporaryDirectory(t);
  const store = openLmdbStore({ dir, durability: 'none', create: true });
  const empty = store.diskBytes();
  let written = 0;
  for (let n = 0; n < 20_000; n += 1) {
    const appends = new Map(['t.v1', 't.v2', 'inputs'].map(name => [name, Buffer.alloc(220, n)]));
    store.commit({ puts: new Map([['crank', String(n)]]), appends });
    written += 660;
  }
  const used = store.diskBytes() - empty;
  t.true(used < written * 1.05 + 2_000_000, `${used} bytes on disk for ${written}`);
  await store.close();
  const files = fs.readdirSync(dir).map(name => fs.statSync(path.join(dir, name)).size);
  const atRest = files.reduce((sum, size) => sum + size, 0);
  t.true(atRest < written * 1.05 + 500_000, `${atRest} bytes at rest for ${written}`);
});
