// The store of a leader. A block counts when the log has acknowledged it. What is here is a copy that can be made again.
//
// Where the copy is kept, a block is applied to it when it is acknowledged, and the kernel waits for that: a copy never has
// more than the log. Where it is gone with the process, the kernel may be some blocks ahead of the log. Nobody sees anything of them: a
// block in which a device hands something out is waited for, and with it all before it.

import { outboxPrefix } from '#kernel';
import { stateFileChunks } from '#store';
import { writeBatch } from './batch-bytes.js';
import { applyBlock } from './follower.js';

/** @import { SimulationStore } from '#host/simulation/options.js' */
/** @import { Batch, Store } from '#store' */
/** @import { LeaderLog } from './leader-log.js' */

/** After so many blocks, or bytes of blocks, the whole state is written as a checkpoint. */
const usualCheckpoint = Object.freeze({ blocks: 2_000, bytes: 32 * 1024 * 1024 });

/** The kernel is no more blocks, nor bytes of blocks, ahead of the log. */
const mostAhead = Object.freeze({ blocks: 32, bytes: 8 * 1024 * 1024 });

/** Whether a device hands something out in a block. @param {Batch} batch */
const handsOut = ({ puts }) => {
  let isSo = false;
  puts.forEach((value, key) => {
    if (value !== undefined && key.startsWith(outboxPrefix)) isSo = true;
  });
  return isSo;
};

/**
 * @param {object} parts
 * @param {Store} parts.local
 * @param {LeaderLog} parts.log
 * @param {() => string} parts.findActivity  the activity hash at the end of the block
 * @param {boolean} [parts.isKept]  whether the local store is there when the process is gone; true by default
 * @param {{ blocks: number, bytes: number }} [parts.checkpoint]
 * @param {() => Promise<void> | void} [parts.betweenBlocks]  called behind each block, while nothing runs
 * @returns {SimulationStore}
 */
export const makeReplicatedStore = ({
  local,
  log,
  findActivity,
  isKept = true,
  checkpoint = usualCheckpoint,
  betweenBlocks = () => {},
}) => {
  let blocks = 0;
  let bytes = 0;
  /** Writes that are not acknowledged, in their order. None of them rejects. @type {{ done: Promise<void>, bytes: number }[]} */
  const ahead = [];
  let aheadBytes = 0;
  /** @type {unknown} why nothing is written any more */
  let failure;

  /** @param {Promise<void>} writing @param {number} size */
  const follow = (writing, size) => {
    const done = writing.catch(error => {
      failure ??= error;
    });
    ahead.push({ done, bytes: size });
    aheadBytes += size;
    void done.then(() => {
      ahead.shift();
      aheadBytes -= size;
    });
    return done;
  };

  const flushed = async () => {
    await ahead.at(-1)?.done;
    if (failure !== undefined) throw failure;
  };

  /** The state is written as a checkpoint now and then. @param {number} size  of a block */
  const count = size => {
    blocks += 1;
    bytes += size;
    if (blocks < checkpoint.blocks && bytes < checkpoint.bytes) return;
    blocks = 0;
    bytes = 0;
    const state = Buffer.concat([...stateFileChunks(local, { hasLocal: true })]);
    void follow(log.checkpoint(state), state.length);
  };

  /** @param {Uint8Array} batch @param {string} activity */
  const commit = async (batch, activity) => {
    await log.appendBlock(batch, activity);
    applyBlock(local, batch, log.head);
    count(batch.length);
    await flushed();
    await betweenBlocks();
  };

  /** @param {Batch} batch @param {Uint8Array} written  its bytes @param {string} activity */
  const commitAhead = async (batch, written, activity) => {
    if (failure !== undefined) throw failure;
    const isSeen = handsOut(batch);
    local.commit(batch);
    void follow(log.appendBlock(written, activity), written.length);
    count(written.length);
    if (isSeen) await flushed();
    while (ahead.length > mostAhead.blocks || aheadBytes > mostAhead.bytes) await ahead[0].done;
    // Between blocks the state is read from the store alone: the kernel drops its copy of the block when this has returned.
    await undefined;
    if (failure !== undefined) throw failure;
    await betweenBlocks();
  };

  const { get, getBytes, entries, nextKey, readStream, streamChunks, streamLength } = local;
  const { streamNames, diskBytes, tableBytes, streamBytes, logBytes, close } = local;
  return Object.freeze({
    ...{ get, getBytes, entries, nextKey, readStream, streamChunks, streamLength, streamNames },
    ...{ diskBytes, tableBytes, streamBytes, logBytes, flushed, close },
    isDurable: () => ahead.length === 0,
    // The batch is free again when this returns, so it is written down at once.
    commit: batch =>
      isKept
        ? commit(writeBatch(batch), findActivity())
        : commitAhead(batch, writeBatch(batch), findActivity()),
  });
};
