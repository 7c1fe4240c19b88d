// A program for the tests: damages copies of saved states and opens them, as a process of its own, since LMDB ends the
// process when it is given what it does not expect. Each outcome is the right state, or one line; others are written out.
//
//   node fuzz-bytes.js DIR SEED FIRST COUNT      DIR is empty; a line of JSON for each problem, and the number begun

import fs from 'node:fs';
import path from 'node:path';
import { UserError } from '#model';
import { makeMemoryStore, openLmdbStore, readLmdbStore, storeDigest } from '#store';
import { markOf, readSlots } from '../log-head.js';
import { blockOf, makeRandom } from './helpers.js';

const [work, seedText, firstText, countText] = process.argv.slice(2);
const seed = Number(seedText);

/**
 * @typedef {object} Base  a saved state
 * @property {Map<string, Buffer>} files
 * @property {string[]} digests  by block
 * @property {number} blocks
 * @property {boolean} isClosed  it has no log
 * @property {number} logEnd  where the last record ends
 */

/**
 * @param {number} run
 * @param {number} blocks
 * @param {{ logBytes: number, isClosed: boolean, durability: import('#store').Durability }} options
 * @returns {Promise<Base>}
 */
const makeBase = async (run, blocks, { logBytes, isClosed, durability }) => {
  const dir = path.join(work, 'base');
  const store = openLmdbStore({ dir, durability, create: true, logBytes });
  const model = makeMemoryStore();
  const digests = [''];
  for (let n = 1; n <= blocks; n += 1) {
    store.commit(blockOf(run, n));
    model.commit(blockOf(run, n));
    digests.push(storeDigest(model));
  }
  if (isClosed) await store.close();
  const files = new Map(
    ['data.mdb', 'data.mdb-lock', ...(isClosed ? [] : ['blocks.log', 'store.lock'])].map(name => [
      name,
      fs.readFileSync(path.join(dir, name)),
    ]),
  );
  // Its process is gone.
  if (!isClosed) files.set('store.lock', Buffer.from('999999999 5\n'));
  if (!isClosed) await store.close();
  fs.rmSync(dir, { recursive: true });
  return { files, digests, blocks, isClosed, logEnd: endOf(files.get('blocks.log')) };
};

/** @param {Buffer | undefined} log */
const endOf = log => {
  if (log === undefined) return 0;
  const slot = readSlots(log).at(-1);
  return slot === undefined ? 0 : log.lastIndexOf(markOf(slot.run, slot.generation).end) + 8;
};

const closed = { logBytes: 20_000, isClosed: true, durability: /** @type {const} */ ('none') };
const open = { logBytes: 60_000, isClosed: false, durability: /** @type {const} */ ('commit') };
/** @type {Base[]} */
const bases = [
  await makeBase(1, 60, closed),
  await makeBase(2, 60, closed),
  await makeBase(1, 90, open),
  await makeBase(3, 12, open),
  await makeBase(1, 45, { ...open, durability: 'none' }),
  await makeBase(2, 7, { ...open, durability: 'group', logBytes: 1_000_000 }),
];

/** Bytes of a log that hold anything. @param {Buffer} log */
const usedBytes = log => {
  let end = log.length;
  while (end > 0 && log[end - 1] === 0) end -= 1;
  return end;
};

/**
 * @param {Base} base
 * @param {(limit: number) => number} random
 * @returns {{ files: Map<string, Buffer>, what: string, mayLoseTail: boolean, isOther: boolean }}  `mayLoseTail`: the end
 *   of the log's last record is gone, as when a process is killed in the midst of it; `isOther`: it is another state's, whole
 */
const damage = (base, random) => {
  const files = new Map(base.files);
  const name = !base.isClosed && random(2) === 0 ? 'blocks.log' : 'data.mdb';
  const other = bases[random(bases.length)].files.get(name) ?? Buffer.alloc(8192);
  let bytes = Buffer.from(/** @type {Buffer} */ (files.get(name)));
  const used = name === 'blocks.log' ? usedBytes(bytes) : bytes.length;
  const pages = Math.ceil(used / 4096);
  const page = () => random(pages) * 4096;
  /** Mostly where something is described: beginnings of pages. */
  const place = () =>
    Math.min([page() + random(80), random(used), random(400)][random(3)], used - 1);
  const swap = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ size) => {
    const copy = Buffer.from(bytes.subarray(a, a + size));
    bytes.copy(bytes, a, b, b + size);
    copy.copy(bytes, b);
  };
  const ways = {
    flip() {
      for (let i = 0; i <= [0, 0, 0, 4][random(4)]; i += 1) bytes[place()] ^= 1 << random(8);
    },
    set() {
      const at = place();
      for (let i = 0; i <= random(8); i += 1) if (at + i < used) bytes[at + i] = random(256);
    },
    zero() {
      const size = [8, 512, 4096, 20_000][random(4)];
      const at = Math.floor(random(used) / Math.min(size, 4096)) * Math.min(size, 4096);
      bytes.fill(0, at, Math.min(at + size, used));
    },
    truncate() {
      bytes = bytes.subarray(0, [random(used), page(), random(used)][random(3)]);
    },
    swapPages: () => swap(page(), page(), 4096),
    swapSectors: () => swap(page() + 512 * random(8), page() + 512 * random(8), 512),
    duplicate() {
      const size = [512, 4096, 1000][random(3)];
      bytes.copy(bytes, random(used), page(), page() + size);
    },
    splicePage() {
      const at = page();
      other.subarray(at, at + 4096).copy(bytes, at);
    },
    spliceTail() {
      const at = page();
      bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(at)]);
    },
    spliceFile() {
      bytes = Buffer.from(other);
    },
    garbageTail() {
      bytes = Buffer.concat([bytes, Buffer.from(Array.from({ length: 600 }, () => random(256)))]);
    },
    garbage() {
      bytes = Buffer.from(Array.from({ length: random(20_000) }, () => random(256)));
    },
    empty() {
      bytes = Buffer.of();
    },
  };
  const names = /** @type {(keyof typeof ways)[]} */ (Object.keys(ways));
  // The small ones, which are hardest to see, more often.
  const way = names[random(3) === 0 ? random(names.length) : random(3)];
  ways[way]();
  if (random(200) === 0) files.delete(name);
  else files.set(name, bytes);
  const before = /** @type {Buffer} */ (base.files.get(name));
  const { logEnd: end } = base;
  const isEndGone = !bytes.subarray(end - 8, end).equals(before.subarray(end - 8, end));
  return {
    files,
    what: `${way} in ${name}`,
    mayLoseTail: name === 'blocks.log' && isEndGone,
    isOther: bytes.equals(other),
  };
};

/**
 * @param {() => import('#store').Store} openStore
 * @param {(store: import('#store').Store) => Promise<string | undefined>} look
 * @returns {Promise<string | undefined>} what is wrong
 */
const tryOpen = async (openStore, look) => {
  /** @type {import('#store').Store | undefined} */
  let store;
  try {
    store = openStore();
    const problem = await look(store);
    await store.close();
    return problem;
  } catch (error) {
    await store?.close().catch(() => {});
    const isLine = error instanceof UserError && !error.message.includes('\n');
    return isLine ? undefined : String(/** @type {Error} */ (error).stack);
  }
};

const first = Number(firstText);
for (let n = first; n < first + Number(countText); n += 1) {
  fs.writeSync(1, `${JSON.stringify({ begun: n })}\n`);
  const random = makeRandom(seed * 7_919 + n);
  const base = bases[random(bases.length)];
  const { files, what, mayLoseTail, isOther } = damage(base, random);
  const dir = path.join(work, 'image');
  fs.mkdirSync(dir);
  for (const [name, bytes] of files) fs.writeFileSync(path.join(dir, name), bytes);
  let block = base.blocks;
  const look = async (/** @type {import('#store').Store} */ store) => {
    const digest = storeDigest(store);
    block = Number(store.get('block'));
    if (digest === base.digests[base.blocks]) return undefined;
    if (isOther && bases.some(({ digests }) => digests.at(-1) === digest)) return undefined;
    if (mayLoseTail && digest === base.digests[block]) return undefined;
    return `block ${block} of ${base.blocks}, ${digest === base.digests[block] ? 'its state' : 'another state'}`;
  };
  const readOnly = await tryOpen(() => readLmdbStore({ dir }), look);
  let problem = readOnly && `read: ${readOnly}`;
  for (const [name, bytes] of files) {
    if (!fs.readFileSync(path.join(dir, name)).equals(bytes)) problem ??= `reading changed ${name}`;
  }
  const written = await tryOpen(
    () => openLmdbStore({ dir, durability: 'none', create: false }),
    async store => {
      const wrong = await look(store);
      if (wrong !== undefined) return wrong;
      // LMDB uses its list of free pages only when it writes.
      for (let i = 0; i < 3; i += 1) store.commit(blockOf(9, block + i));
      return undefined;
    },
  );
  problem ??= written && `opened: ${written}`;
  fs.rmSync(dir, { recursive: true });
  if (problem !== undefined) fs.writeSync(1, `${JSON.stringify({ n, what, problem })}\n`);
}
