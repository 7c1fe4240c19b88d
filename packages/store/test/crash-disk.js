// A disk that has lost power. From the record of what a process did to its files (record-disk.c), `after` builds
// what could be found after a crash at any moment: every write covered by a completed sync is there; of the
// others, any may be there, in any order, whole or in part, down to the sector. Names in a directory are treated
// alike: they are certain once the directory was synced.

import fs from 'node:fs';
import path from 'node:path';

/** The unit that a disk writes whole or not at all, and the one that a system writes back from its cache. */
const sectorBytes = 512;
const pageBytes = 4096;

const kinds = [
  '',
  'created',
  'written',
  'truncated',
  'syncBegun',
  'syncDone',
  'unlinked',
  'renamed',
  'linked',
  'writtenDurably',
];

/**
 * @typedef {object} DiskEvent
 * @property {string} kind
 * @property {string} path
 * @property {number} offset  of a write; the new size of a truncation; which sync, of a sync
 * @property {Buffer} data  what was written; the other name of a link or renaming
 */

/**
 * @param {string} file
 * @returns {DiskEvent[]}
 */
export const readEvents = file => {
  const bytes = fs.readFileSync(file);
  /** @type {DiskEvent[]} */
  const events = [];
  let at = 0;
  // The process was killed, perhaps while another of its threads noted an event.
  const isWhole = (/** @type {number} */ size) => at + size <= bytes.length;
  while (isWhole(5)) {
    const kind = kinds[bytes[at]];
    const pathLength = bytes.readUInt32LE(at + 1);
    if (!isWhole(5 + pathLength + 12)) break;
    at += 5;
    const name = bytes.toString('utf8', at, at + pathLength);
    at += pathLength;
    const offset = Number(bytes.readBigUInt64LE(at));
    const length = bytes.readUInt32LE(at + 8);
    at += 12;
    if (!isWhole(length)) break;
    const event = { kind, path: name, offset, data: bytes.subarray(at, at + length) };
    at += length;
    // A durable write that is under way at the crash is like any other.
    if (kind === 'writtenDurably') events.push({ ...event, kind: 'written' });
    events.push(event);
  }
  return events;
};

/**
 * @typedef {object} Change  one write or truncation of a file
 * @property {number} offset  or the new size
 * @property {Buffer | undefined} data  undefined: truncation
 * @property {boolean} [isCertain]  it is on the disk, though earlier ones may not be
 */

/** @typedef {(limit: number) => number} Random */

/**
 * @param {Buffer} content
 * @param {Change} change
 * @param {(sector: number) => boolean} [isKept]  by sector of the file
 */
const applied = (content, { offset, data }, isKept = () => true) => {
  if (data === undefined) {
    const result = Buffer.alloc(offset);
    content.copy(result, 0, 0, Math.min(offset, content.length));
    return result;
  }
  /** @type {Buffer} */
  let result = content;
  for (let at = 0; at < data.length;) {
    const sector = Math.floor((offset + at) / sectorBytes);
    const end = Math.min(data.length, (sector + 1) * sectorBytes - offset);
    if (isKept(sector)) {
      if (result.length < offset + end) {
        // A write beyond the end leaves zeros between the old end and itself.
        result = Buffer.concat([result, Buffer.alloc(offset + end - result.length)]);
      } else if (result === content) {
        result = Buffer.from(content);
      }
      data.copy(result, offset + at, at, end);
    }
    at = end;
  }
  return result;
};

class DiskFile {
  constructor() {
    /** @type {Buffer} as it surely is on the disk */
    this.content = Buffer.alloc(0);
    /** @type {Change[]} */
    this.pending = [];
    /** @type {Map<number, number>} sync to the number of pending changes that it covers */
    this.syncs = new Map();
  }

  /** @param {number} count  of the oldest pending changes that are now certain */
  applyPending(count) {
    for (const change of this.pending.splice(0, count)) {
      this.content = applied(this.content, change);
    }
    for (const [sync, covered] of this.syncs) this.syncs.set(sync, Math.max(covered - count, 0));
  }

  /** @param {Random} random */
  afterCrash(random) {
    const likelihood = [1, 5, 9][random(3)];
    const maybe = () => random(10) < likelihood;
    const way = random(6);
    // Pages are written back at one moment each: a page has all changes up to then.
    /** @type {Map<number, number>} */
    const moments = new Map();
    /** @param {number} page */
    const momentOf = page => {
      const known = moments.get(page) ?? random(this.pending.length + 1);
      moments.set(page, known);
      return known;
    };
    let { content } = this;
    this.pending.forEach((change, i) => {
      if (change.isCertain || way === 0) {
        content = applied(content, change);
      } else if (way === 1) {
        // Nothing that was not synced is there.
      } else if (change.data === undefined) {
        if (maybe()) content = applied(content, change);
      } else if (way === 2) {
        if (maybe()) content = applied(content, change);
      } else if (way === 3) {
        content = applied(content, change, maybe);
      } else if (way === 4) {
        const isKept = (/** @type {number} */ sector) =>
          i < momentOf(Math.floor((sector * sectorBytes) / pageBytes));
        content = applied(content, change, isKept);
      } else {
        const cut = random(change.data.length + 1);
        if (maybe()) content = applied(content, { ...change, data: change.data.subarray(0, cut) });
      }
    });
    return content;
  }
}

/**
 * @param {string} dir  the directory whose files are followed
 */
export const makeCrashDisk = dir => {
  /** @type {Map<string, DiskFile>} names that are certain */
  const certain = new Map();
  /** @type {Map<string, DiskFile>} names as the process sees them */
  const current = new Map();
  /** @type {{ name: string, file: DiskFile | undefined }[]} */
  let pendingNames = [];
  /** @type {Map<number, number>} */
  const nameSyncs = new Map();

  /**
   * @param {string} name
   * @param {DiskFile | undefined} file
   */
  const setName = (name, file) => {
    if (file === undefined) current.delete(name);
    else current.set(name, file);
    pendingNames.push({ name, file });
  };
  /**
   * @param {Map<string, DiskFile>} names
   * @param {{ name: string, file: DiskFile | undefined }} change
   */
  const applyName = (names, { name, file }) => {
    if (file === undefined) names.delete(name);
    else names.set(name, file);
  };

  /** @param {DiskEvent} event  of the directory itself */
  const followDirectory = ({ kind, offset }) => {
    if (kind === 'syncBegun') nameSyncs.set(offset, pendingNames.length);
    if (kind === 'syncDone') {
      const count = nameSyncs.get(offset) ?? 0;
      for (const change of pendingNames.slice(0, count)) applyName(certain, change);
      pendingNames = pendingNames.slice(count);
      for (const [sync, covered] of nameSyncs) nameSyncs.set(sync, Math.max(covered - count, 0));
    }
  };

  return {
    /**
     * The content of a file on the disk when the record begins.
     *
     * @param {string} name
     * @param {Buffer} content
     */
    addFile(name, content) {
      const file = new DiskFile();
      file.content = content;
      certain.set(name, file);
      current.set(name, file);
    },

    /** @param {DiskEvent} event */
    follow(event) {
      const { kind, offset, data } = event;
      if (event.path === dir) {
        followDirectory(event);
        return;
      }
      if (path.dirname(event.path) !== dir) return;
      const name = path.basename(event.path);
      if (kind === 'created') {
        setName(name, new DiskFile());
        return;
      }
      const file = current.get(name);
      if (file === undefined) throw Error(`${kind} of ${name}, which is not there`);
      if (kind === 'written') file.pending.push({ offset, data });
      else if (kind === 'truncated') file.pending.push({ offset, data: undefined });
      else if (kind === 'syncBegun') file.syncs.set(offset, file.pending.length);
      else if (kind === 'syncDone') file.applyPending(file.syncs.get(offset) ?? 0);
      else if (kind === 'unlinked') setName(name, undefined);
      else if (kind === 'linked') setName(path.basename(data.toString()), file);
      else if (kind === 'renamed') {
        setName(path.basename(data.toString()), file);
        setName(name, undefined);
      } else if (kind === 'writtenDurably') {
        // Only this write is certain; earlier ones to the file may still be lost.
        file.pending[file.pending.length - 1].isCertain = true;
      } else throw Error(`unknown event ${kind}`);
    },

    /**
     * Write what a crash at this moment could leave into `target`, an empty directory.
     *
     * @param {string} target
     * @param {Random} random
     */
    after(target, random) {
      const names = new Map(certain);
      const all = random(2) === 0;
      for (const change of pendingNames) if (all || random(2) === 0) applyName(names, change);
      for (const [name, file] of names) {
        fs.writeFileSync(path.join(target, name), file.afterCrash(random));
      }
    },
  };
};
