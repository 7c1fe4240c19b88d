// The recorder of record-disk.c for machines without a C compiler: preloaded into a process (`--import`), it writes down in
// order what the process does to the files under RECORD_DIR, in the same format (crash-disk.js reads it). What Node's `fs`
// does is seen as it is. What LMDB does inside is taken from what its calls have changed: pages, then a sync, then, durably,
// the page that describes the database, which is LMDB's documented order; that it keeps it, only the C recorder can see.

import fs from 'node:fs';
import path from 'node:path';
import { loadLmdb } from '#vendored/lmdb.js';

const { RECORD_DIR: root = '/none', RECORD_FILE: recordFile = '/none' } = process.env;

const kinds = /** @type {const} */ ({
  ...{ created: 1, written: 2, truncated: 3, syncBegun: 4, syncDone: 5 },
  ...{ unlinked: 6, renamed: 7, linked: 8, writtenDurably: 9 },
});

const plain = { ...fs };
const out = plain.openSync(recordFile, 'a');
let syncs = 0;
/** @type {Map<number, { file: string, isDurable: boolean, isAppending: boolean }>} */
const open = new Map();

/**
 * @param {keyof typeof kinds} kind
 * @param {string} file
 * @param {number} offset
 * @param {Uint8Array | string} [data]
 */
const note = (kind, file, offset, data = '') => {
  const name = Buffer.from(file);
  const content = Buffer.from(/** @type {string} */ (data));
  const bytes = Buffer.alloc(17 + name.length);
  bytes.writeUInt8(kinds[kind], 0);
  bytes.writeUInt32LE(name.length, 1);
  bytes.set(name, 5);
  bytes.writeBigUInt64LE(BigInt(offset), 5 + name.length);
  bytes.writeUInt32LE(content.length, 13 + name.length);
  plain.writeSync(out, Buffer.concat([bytes, content]));
};

/** @param {unknown} file  @returns {file is string} */
const isOurs = file =>
  typeof file === 'string' && path.resolve(file).startsWith(root) && file !== recordFile;

/** @param {string} file @param {() => unknown} act */
const noteMaking = (file, act) => {
  const isNew = !plain.existsSync(file);
  const result = act();
  if (isNew && isOurs(file)) note('created', path.resolve(file), 0);
  return result;
};

const patched = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (fs));
/** @type {(name: string, make: (next: Function) => Function) => void} */
const wrap = (name, make) => {
  patched[name] = make(patched[name]);
};

wrap(
  'openSync',
  next => (/** @type {string} */ file, /** @type {any} */ flags, /** @type {any} */ mode) => {
    const fd = noteMaking(file, () => next(file, flags, mode));
    const isNumber = typeof flags === 'number';
    if (isOurs(file)) {
      if (flags === 'w') note('truncated', path.resolve(file), 0);
      open.set(/** @type {number} */ (fd), {
        file: path.resolve(file),
        isDurable: isNumber && (flags & fs.constants.O_DSYNC) === fs.constants.O_DSYNC,
        isAppending: flags === 'a',
      });
    }
    return fd;
  },
);
wrap('closeSync', next => (/** @type {number} */ fd) => {
  open.delete(fd);
  return next(fd);
});
wrap(
  'writeSync',
  next =>
    (/** @type {number} */ fd, /** @type {any} */ data, /** @type {any[]} */ ...rest) => {
      const to = open.get(fd);
      const end = to?.isAppending ? plain.fstatSync(fd).size : 0;
      const count = next(fd, data, ...rest);
      if (to !== undefined) {
        const bytes = typeof data === 'string' ? Buffer.from(data) : data.subarray(rest[0] ?? 0);
        const at = to.isAppending ? end : (rest[2] ?? 0);
        note(to.isDurable ? 'writtenDurably' : 'written', to.file, at, bytes.subarray(0, count));
      }
      return count;
    },
);
wrap('writeFileSync', next => (/** @type {string} */ file, /** @type {any} */ data) => {
  noteMaking(file, () => next(file, data));
  if (!isOurs(file)) return;
  note('truncated', path.resolve(file), 0);
  note('written', path.resolve(file), 0, data);
});
wrap('truncateSync', next => (/** @type {string} */ file, size = 0) => {
  next(file, size);
  if (isOurs(file)) note('truncated', path.resolve(file), size);
});
wrap('ftruncateSync', next => (/** @type {number} */ fd, size = 0) => {
  next(fd, size);
  const to = open.get(fd);
  if (to !== undefined) note('truncated', to.file, size);
});
for (const name of ['fdatasyncSync', 'fsyncSync']) {
  wrap(name, next => (/** @type {number} */ fd) => {
    const to = open.get(fd);
    const sync = (syncs += 1);
    if (to !== undefined) note('syncBegun', to.file, sync);
    next(fd);
    if (to !== undefined) note('syncDone', to.file, sync);
  });
}
wrap('fdatasync', next => (/** @type {number} */ fd, /** @type {Function} */ told) => {
  const to = open.get(fd);
  const sync = (syncs += 1);
  if (to !== undefined) note('syncBegun', to.file, sync);
  next(fd, (/** @type {unknown} */ error) => {
    if (to !== undefined && !error) note('syncDone', to.file, sync);
    told(error);
  });
});
wrap('unlinkSync', next => (/** @type {string} */ file) => {
  next(file);
  if (isOurs(file)) note('unlinked', path.resolve(file), 0);
});
wrap('renameSync', next => (/** @type {string} */ from, /** @type {string} */ to) => {
  next(from, to);
  if (isOurs(from)) note('renamed', path.resolve(from), 0, path.resolve(to));
});
wrap('linkSync', next => (/** @type {string} */ from, /** @type {string} */ to) => {
  next(from, to);
  if (isOurs(from)) note('linked', path.resolve(from), 0, path.resolve(to));
});

const pageBytes = 4096;

/**
 * The bytes that LMDB has changed since the last call.
 *
 * @param {string} file
 */
const makeWatch = file => {
  let before = plain.existsSync(file) ? plain.readFileSync(file) : Buffer.of();
  /** @param {boolean} isSynced */
  return isSynced => {
    const now = plain.readFileSync(file);
    /** @type {number[]} */
    const changed = [];
    for (let at = 0; at < now.length; at += pageBytes) {
      if (!now.subarray(at, at + pageBytes).equals(before.subarray(at, at + pageBytes)))
        changed.push(at);
    }
    before = now;
    const write = (/** @type {number} */ at, /** @type {'written' | 'writtenDurably'} */ kind) =>
      note(kind, file, at, now.subarray(at, at + pageBytes));
    for (const at of changed) if (at >= 2 * pageBytes || !isSynced) write(at, 'written');
    if (!isSynced || changed.length === 0) return;
    const sync = (syncs += 1);
    note('syncBegun', file, sync);
    note('syncDone', file, sync);
    for (const at of changed) if (at < 2 * pageBytes) write(at, 'writtenDurably');
  };
};

/** @type {any} */
const lmdb = loadLmdb();
const openLmdb = lmdb.open;
lmdb.open = (/** @type {{ path: string }} */ options) => {
  const file = path.resolve(options.path);
  const tell = isOurs(file) ? makeWatch(file) : () => {};
  const database = openLmdb(options);
  tell(false);
  for (const name of ['openDB', 'transactionSync']) {
    const next = database[name].bind(database);
    database[name] = (/** @type {unknown[]} */ ...args) => {
      const result = next(...args);
      tell(true);
      return result;
    };
  }
  return database;
};
