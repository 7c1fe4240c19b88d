// The names and shapes of `@agoric/swing-store` over a store of this package. A program gets `kernelStorage`, which it
// passes to `initializeSwingset` and `makeSwingsetController`, and `hostStorage`, by which it commits.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { insistArgument, quote, UserError } from '#model';
import { makeMemoryStore, openLmdbStore, provideLmdbStore } from '#store';
import { makeKvView } from './kv-view.js';
import { refuse } from './refuse.js';
import { StorageCell } from './storage-cell.js';

/** @import { Store } from '#store' */

/** The key of a kernel storage's cell; a symbol, so that `{ ...storage }` copies it. */
const cellKey = Symbol('storageCell');

/** @param {unknown} kernelStorage */
const looksForeign = kernelStorage =>
  typeof kernelStorage === 'object' && kernelStorage !== null && 'kvStore' in kernelStorage;

/**
 * @param {any} kernelStorage
 * @returns {StorageCell}
 * @throws {UserError} if it was not made here
 */
export const cellOf = kernelStorage => {
  const cell = kernelStorage?.[cellKey];
  if (cell instanceof StorageCell) return cell;
  const what = looksForeign(kernelStorage) ? 'that of another swing-store' : quote(kernelStorage);
  throw new UserError(
    `kernelStorage is ${what}; make it by initSwingStore() of swingset-runner/swing-store`,
  );
};

const noSqlite = 'the state is in one of our own stores, and not in SQLite';

/** The folder of the database. */
const databaseDir = (/** @type {string} */ dirPath) => join(dirPath, 'swingstore');

/** Options of initSwingStore without effect here. */
const emptyOptions = ['keepSnapshots', 'keepTranscripts', 'unsafeFastMode', 'traceFile', 'asFile'];

/** Options that would change the stored or exported data. */
const refusedOptions = [
  ...['exportCallback', 'archiveSnapshot', 'archiveTranscript', 'readonly', 'wrapKvStore'],
  ...['wrapTranscriptStore', 'wrapSnapStore', 'wrapBundleStore'],
];

/** @param {Record<string, unknown>} options @param {string} caller */
const checkOptions = (options, caller) => {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === false || name === 'serialized') continue;
    if (emptyOptions.includes(name)) continue;
    const why = refusedOptions.includes(name) ? 'is not here' : 'is unknown';
    throw new UserError(`${caller}: the option ${quote(name)} ${why}`);
  }
};

/** @param {Store} store @returns {Buffer} its whole content */
const serialise = store =>
  Buffer.from(
    JSON.stringify({
      entries: [...store.entries('')].map(([key]) => [
        key,
        Buffer.from(store.getBytes(key) ?? []).toString('base64'),
      ]),
      streams: store
        .streamNames()
        .map(name => [name, Buffer.from(store.readStream(name)).toString('base64')]),
    }),
  );

/**
 * @param {unknown} serialized  made by `debug.serialize`
 * @returns {Store}
 * @throws {UserError}
 */
const deserialise = serialized => {
  const store = makeMemoryStore();
  try {
    if (!(serialized instanceof Uint8Array)) throw TypeError('it is no buffer');
    const { entries, streams } = JSON.parse(Buffer.from(serialized).toString());
    /** @param {[string, string][]} list */
    const read = list => new Map(list.map(([name, text]) => [name, Buffer.from(text, 'base64')]));
    store.commit({ puts: read(entries), appends: read(streams) });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new UserError(`options.serialized is not what debug.serialize() made: ${message}`, {
      cause: error,
    });
  }
  return store;
};

/** @param {string} kind @param {readonly string[]} names @param {string} why */
const refuseAll = (kind, names, why) =>
  Object.freeze(Object.fromEntries(names.map(name => [name, refuse(`${kind}.${name}`, why)])));

const snapshotNames = [
  ...['saveSnapshot', 'loadSnapshot', 'stopUsingLastSnapshot', 'deleteVatSnapshots'],
  ...['deleteAllUnusedSnapshots', 'hasHash', 'listAllSnapshots', 'deleteSnapshotByHash'],
  'getSnapshotInfo',
];

const transcriptNames = [
  ...['initTranscript', 'addItem', 'readSpan', 'rolloverSpan', 'rolloverIncarnation'],
  ...['stopUsingTranscript', 'deleteVatTranscripts', 'getCurrentSpanBounds'],
  'readFullVatTranscript',
];

const databaseNames = ['prepare', 'exec', 'pragma', 'transaction', 'serialize', 'close'];

const bundleNames = ['addBundle', 'getBundle', 'deleteBundle'];

/**
 * @param {StorageCell} cell
 * @param {string | null} dirPath
 */
const makeParts = (cell, dirPath) => {
  const view = makeKvView(() => cell.kernel);
  const hostKey = (/** @type {string} */ key) =>
    insistText('key', key).startsWith('host.') ? key : undefined;
  const noWrite = (/** @type {string} */ name) =>
    refuse(`kernelStorage.kvStore.${name}`, "the state is the kernel's, and this is a view of it");
  const kvStore = Object.freeze({
    has: (/** @type {string} */ key) =>
      hostKey(key) === undefined ? view.has(key) : cell.getHostValue(key) !== undefined,
    get: (/** @type {string} */ key) =>
      hostKey(key) === undefined ? view.get(key) : cell.getHostValue(key),
    getNextKey: (/** @type {string} */ prior) => view.getNextKey(insistText('previousKey', prior)),
    set: noWrite('set'),
    delete: noWrite('delete'),
  });
  const noCranks = 'the kernel keeps its own journal of a crank';
  const kernelStorage = {
    [cellKey]: cell,
    kvStore,
    transcriptStore: refuseAll(
      'transcriptStore',
      transcriptNames,
      'transcripts are read by "dump" and "inside"',
    ),
    snapStore: refuseAll('snapStore', snapshotNames, 'vats are brought back by their transcripts'),
    bundleStore: Object.freeze({
      .../** @type {Record<string, any>} */ (
        refuseAll('bundleStore', bundleNames, 'bundles are installed by validateAndInstallBundle()')
      ),
      hasBundle: (/** @type {string} */ id) =>
        cell.kernel?.getHostValue(`host.bundle.${id}`) !== undefined,
    }),
    ...refuseAll(
      'kernelStorage',
      ['startCrank', 'establishCrankSavepoint', 'rollbackCrank', 'emitCrankHashes', 'endCrank'],
      noCranks,
    ),
    getActivityhash: () => cell.kernel?.activityHash(),
  };
  const hostStorage = Object.freeze({
    kvStore: Object.freeze({
      has: (/** @type {string} */ key) => kvStore.has(key),
      get: (/** @type {string} */ key) => kvStore.get(key) ?? cell.getHostValue(key),
      getNextKey: (/** @type {string} */ prior) => cell.hostKeys().find(key => key > prior),
      set: (/** @type {string} */ key, /** @type {string} */ value) =>
        cell.setHostValue(insistHostKey(key), insistText('value', value)),
      delete: (/** @type {string} */ key) => cell.setHostValue(insistHostKey(key), undefined),
    }),
    commit: () => cell.commit(),
    close: () => cell.close(),
    diskUsage: () => cell.store.diskBytes(),
    getActivityhash: kernelStorage.getActivityhash,
    repairMetadata: refuse('hostStorage.repairMetadata', 'a store of this package needs no repair'),
  });
  const debug = Object.freeze({
    serialize: () => {
      cell.commitCranks();
      return serialise(cell.store);
    },
    dump: () => dumpState(cell, view),
    getAllState: () => dumpState(cell, view),
    setAllState: refuse('debug.setAllState', 'give what serialize() made as options.serialized'),
    getKVStats: refuse(
      'debug.getKVStats',
      'the view of the key-value store is made when it is asked',
    ),
  });
  const internal = Object.freeze({
    dirPath,
    db: refuseAll('internal.db', databaseNames, noSqlite),
    transcriptStore: kernelStorage.transcriptStore,
    snapStore: kernelStorage.snapStore,
    bundleStore: kernelStorage.bundleStore,
  });
  return Object.freeze({
    kernelStorage: Object.freeze(kernelStorage),
    hostStorage,
    debug,
    internal,
  });
};

/** @param {string} what @param {unknown} value */
const insistText = (what, value) => {
  if (typeof value === 'string') return value;
  throw TypeError(`${what} must be a string, got ${typeof value}`);
};

/** Hosts write only keys of their own, as in SwingSet. @param {unknown} key */
const insistHostKey = key => {
  const text = insistText('key', key);
  if (text.startsWith('host.')) return text;
  throw Error(`hostKVStore requires host keys, which begin with "host.", got ${quote(text)}`);
};

/**
 * @param {StorageCell} cell
 * @param {ReturnType<typeof makeKvView>} view
 */
const dumpState = (cell, view) => {
  const { kernel } = cell;
  /** @type {Record<string, unknown[]>} */
  const transcripts = {};
  /** A list for each vat that lives, as tools expect; nothing is ever in it. @type {Record<string, never[]>} */
  const snapshots = {};
  const running = kernel?.vats().filter(({ state }) => state === 'running') ?? [];
  for (const { vatId } of running) {
    transcripts[vatId] = [.../** @type {any} */ (kernel).transcript(vatId)];
    snapshots[vatId] = [];
  }
  const host = cell.hostKeys().map(key => [key, cell.getHostValue(key)]);
  return {
    kvEntries: { ...view.all(), ...Object.fromEntries(host) },
    transcripts,
    snapshots,
    bundles: {},
  };
};

/**
 * Make a new, empty store: in memory, or in a directory, whose store it replaces.
 *
 * @param {string | null} [dirPath]
 * @param {Record<string, any>} [options]  `serialized`: made by `debug.serialize()` of another store
 * @returns `kernelStorage` for the kernel, `hostStorage` for commits, `debug` for inspection
 * @throws {UserError} if an option is unknown or missing here, or the directory cannot be written
 */
export const initSwingStore = (dirPath = null, options = {}) => {
  checkOptions(options, 'initSwingStore');
  if (options.serialized !== undefined) {
    if (dirPath !== null)
      throw new UserError(
        'initSwingStore: options.serialized makes a store in memory; dirPath must be null',
      );
    return makeParts(new StorageCell(deserialise(options.serialized), false), null);
  }
  if (dirPath === null) return makeParts(new StorageCell(makeMemoryStore(), false), null);
  const dir = databaseDir(dirPath);
  rmSync(dir, { recursive: true, force: true });
  return makeParts(
    new StorageCell(openLmdbStore({ dir, durability: 'commit', create: true }), true),
    dirPath,
  );
};

/**
 * Open the store of a directory, or make an empty one if there is none, or nothing was committed to it.
 *
 * @param {string} dirPath
 * @param {Record<string, any>} [options]
 * @returns `kernelStorage`, `hostStorage` and `debug`, as of `initSwingStore`
 * @throws {UserError} if an option is unknown or missing here, or the store is damaged, in use or of another version
 */
export const openSwingStore = (dirPath, options = {}) => {
  checkOptions(options, 'openSwingStore');
  if (typeof dirPath !== 'string')
    throw new UserError(`openSwingStore: dirPath must be a string, got ${typeof dirPath}`);
  const dir = databaseDir(dirPath);
  return makeParts(new StorageCell(provideLmdbStore({ dir, durability: 'commit' }), true), dirPath);
};

/** Whether a directory has a store. @param {string} dirPath @returns {boolean} */
export const isSwingStore = dirPath => existsSync(databaseDir(dirPath));

const ownFormat =
  'a state of this package is carried by exportState() and importState() of swingset-runner';
export const makeSwingStoreExporter = refuse('makeSwingStoreExporter', ownFormat);
export const openSwingStoreExportDataOnly = refuse('openSwingStoreExportDataOnly', ownFormat);
export const importSwingStore = refuse('importSwingStore', ownFormat);
const noArchive = 'there are no snapshots, and transcripts stay in the state';
export const makeArchiveSnapshot = refuse('makeArchiveSnapshot', noArchive);
export const makeArchiveTranscript = refuse('makeArchiveTranscript', noArchive);
export const makeSwingStore = refuse('makeSwingStore', noSqlite);
export const makeKVStore = refuse('makeKVStore', noSqlite);
export const makeTranscriptStore = refuse('makeTranscriptStore', noSqlite);
export const makeSnapStore = refuse('makeSnapStore', noSqlite);
export const makeSnapStoreIO = refuse('makeSnapStoreIO', noSqlite);
export const makeBundleStore = refuse('makeBundleStore', noSqlite);

/**
 * The owner of a key of the key-value store: the chain, this machine, or the host program.
 *
 * @param {string} key
 * @returns {'local' | 'host' | 'consensus'}
 * @throws {TypeError} if it is no text
 */
export const getKeyType = key => {
  insistArgument('getKeyType()', key, 'string', 'a key, as "local.x"');
  return key.startsWith('local.') ? 'local' : key.startsWith('host.') ? 'host' : 'consensus';
};

/** Its name in newer versions. */
export const getKVStoreKeyType = getKeyType;

/**
 * The id of a bundle by the name of its artifact.
 *
 * @param {string} name
 * @returns {string}
 * @throws {UserError} if it is not the name of an artifact
 */
export const bundleIDFromName = name => {
  insistArgument('bundleIDFromName()', name, 'string', 'a name, as "bundle.b1-…"');
  const [tag, id, ...more] = name.split('.');
  if (tag === 'bundle' && id !== undefined && more.length === 0) return id;
  throw new UserError(`${quote(name)} is no name of a bundle; one is "bundle.b1-…"`);
};
