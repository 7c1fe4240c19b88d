import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { schemaVersion } from '#model';
import { makeMemoryStore, readStateFile, stateFileChunks, storeDigest } from '#store';
import { blockOf, makeRandom, temporaryDirectory } from './helpers.js';

/** @import { Store } from '#store' */

/** @param {Store} store @param {boolean} [hasLocal] */
const fileOf = (store, hasLocal = false) =>
  Buffer.concat([...stateFileChunks(store, { hasLocal })]);

/** @param {number} blocks */
const makeState = blocks => {
  const store = makeMemoryStore();
  for (let n = 1; n <= blocks; n += 1) store.commit(blockOf(1, n));
  return store;
};

/**
 * @param {import('ava').ExecutionContext} t
 * @param {Uint8Array} bytes
 */
const takeBack = (t, bytes) => {
  const file = path.join(temporaryDirectory(t), 'a.state');
  fs.writeFileSync(file, bytes);
  const store = makeMemoryStore();
  readStateFile(file, store);
  return store;
};

test('a state comes back from its file, and makes the same file again', t => {
  const store = makeState(40);
  store.commit({
    puts: new Map([
      ['local.time', '5'],
      ['large', 'x'.repeat(3e6)],
      ['none', ''],
    ]),
    appends: new Map([['long', Buffer.alloc(2e6, 'stream')]]),
  });
  const bytes = fileOf(store);
  const back = takeBack(t, bytes);
  t.is(storeDigest(back), storeDigest(store));
  t.is(back.get('local.time'), undefined);
  t.true(fileOf(back).equals(bytes));
});

test('values that may differ between equal runs are in the file only when asked for', t => {
  const [one, other] = [makeState(5), makeState(5)];
  one.commit({ puts: new Map([['local.time', '5']]) });
  other.commit({ puts: new Map([['local.time', '6']]) });
  t.deepEqual(fileOf(one), fileOf(other));
  t.notDeepEqual(fileOf(one, true), fileOf(other, true));
  t.is(takeBack(t, fileOf(one, true)).get('local.time'), '5');
});

test('a file that is cut, changed, or goes on behind its end is refused', t => {
  const bytes = fileOf(makeState(6));
  const random = makeRandom(1);
  const refused = /** @type {const} */ ({ name: 'UserError' });
  for (let i = 0; i < 400; i += 1) {
    const changed = Buffer.from(bytes);
    changed[random(i % 2 === 0 ? bytes.length : 200)] ^= 1 << random(8);
    const error = t.throws(() => takeBack(t, changed), refused, `change ${i}`);
    t.false(error.message.includes('\n'));
  }
  for (let size = 0; size < bytes.length; size += 1 + random(60)) {
    t.throws(() => takeBack(t, bytes.subarray(0, size)), refused, `${size} bytes`);
  }
  t.throws(() => takeBack(t, Buffer.concat([bytes, Buffer.of(0)])), {
    message: /at byte \d+, there are 1 bytes behind its end/,
  });
  t.throws(() => takeBack(t, Buffer.concat([bytes, bytes])), { message: /behind its end/ });
});

test('a file of another schema version or kind is reported', t => {
  const bytes = fileOf(makeState(2));
  const text = bytes.toString('latin1').replace(`schema ${schemaVersion}`, 'schema 1');
  t.throws(() => takeBack(t, Buffer.from(text, 'latin1')), {
    name: 'UserError',
    message: new RegExp(
      `the state has schema version 1, this program reads version ${schemaVersion}`,
    ),
  });
  for (const content of ['', 'hello', 'swingset-runner state', '\0'.repeat(1000)])
    t.throws(() => takeBack(t, Buffer.from(content)), { message: /is no state that .* exported/ });
});
