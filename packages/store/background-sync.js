// Forces the log to disk, keeps count of the durable blocks, and wakes callers that wait for them. At most one sync is
// under way at a time; it covers all blocks written before it began. After a failure nothing is written any more.

import fs from 'node:fs';

/** @import { BlockLog } from './block-log.js' */
/** @import { Kept } from './disk-errors.js' */

/**
 * @param {BlockLog} log
 * @param {number} firstBlock  the last block in the store when it was opened, which is durable
 * @param {boolean} isEager  whether each block is forced to disk soon, even if no caller waits for it
 * @param {(error: unknown, kept: Kept) => unknown} explain  explains an error of the disk
 */
export const makeBackgroundSync = (log, firstBlock, isEager, explain) => {
  /** The last block that was written, and the last durable one. */
  let block = firstBlock;
  let durable = firstBlock;
  let isEnded = false;
  /** @type {unknown} the error that made further commits impossible */
  let failure;
  /** Whether somebody was given it. */
  let isTold = false;
  /** @type {((durableBlocks: number) => void) | undefined} */
  let tellDurable;
  /** @type {{ block: number, resolve: () => void, reject: (reason: unknown) => void }[]} in order of block */
  let waiting = [];

  /** @param {number} upTo */
  const setDurable = upTo => {
    block = Math.max(block, upTo);
    if (upTo <= durable) return;
    durable = upTo;
    if (waiting.length > 0) {
      for (const one of waiting) if (one.block <= durable) one.resolve();
      waiting = waiting.filter(one => one.block > durable);
    }
    if (tellDurable) tellDurable(durable - firstBlock);
  };

  /**
   * Stops all further commits, and rejects waiting callers. The first failure counts.
   *
   * @param {unknown} error
   * @param {Kept} [kept]  the state that is found afterwards; default: that of the last committed block
   */
  const fail = (error, kept = 'committed') => {
    if (failure !== undefined) return;
    failure = explain(error, kept);
    isTold = waiting.length > 0;
    for (const one of waiting) one.reject(failure);
    waiting = [];
  };

  /** @throws {unknown} the error that made further commits impossible */
  const insistWhole = () => {
    if (failure === undefined) return;
    isTold = true;
    throw failure;
  };

  let syncing = false;
  let whenSynced = () => {};
  const sync = () => {
    if (syncing || durable === block || failure !== undefined) return;
    syncing = true;
    const upTo = block;
    fs.fdatasync(log.fd, error => {
      syncing = false;
      // After a failed sync it is unknown which pages are on disk, so there is no second try.
      if (error) fail(error, 'durable');
      else setDurable(upTo);
      whenSynced();
      if (!isEnded && (isEager || waiting.length > 0)) sync();
    });
  };

  return {
    setDurable,
    fail,

    get durable() {
      return durable;
    },

    get hasFailed() {
      return failure !== undefined;
    },

    insistWhole,

    /** @throws {unknown} the same, if nobody was given it */
    insistTold() {
      if (!isTold) insistWhole();
    },

    /** Notes a block that was written but not forced to disk. @param {number} written */
    noteBlock(written) {
      block = written;
      if (isEager) sync();
    },

    /** @returns {number} durable blocks since the store was opened */
    durableBlocks: () => durable - firstBlock,

    /** @param {(durableBlocks: number) => void} listener */
    onDurable(listener) {
      tellDurable = listener;
    },

    /** @param {number} upTo @returns {Promise<void>} fulfilled when that block is durable */
    async flushed(upTo) {
      insistWhole();
      if (durable >= upTo) return;
      await new Promise((resolve, reject) => {
        waiting.push({ block: upTo, resolve: () => resolve(undefined), reject });
        sync();
      });
    },

    /** Begins no more syncs. @returns {Promise<void>} fulfilled when none is under way */
    async end() {
      isEnded = true;
      if (!syncing) return;
      await new Promise(resolve => {
        whenSynced = () => resolve(undefined);
      });
    },
  };
};
