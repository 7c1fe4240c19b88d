// The store of a leader: a local copy of the state, which can be rebuilt. A block is committed when the log has
// acknowledged it.
//
// A copy on disk gets a block after its acknowledgement, for which the kernel waits, so the copy never has more than
// the log. With a copy in memory the kernel may be some blocks ahead of the log. These have no visible effect: the
// kernel waits for a block in which a device hands out data, and so for all blocks before it.

import { outboxPrefix } from '#kernel';
import { stateFileChunks } from '#store';
import { writeBatch } from './batch-bytes.js';
import { applyBlock } from './follower.js';

/** @import { SimulationStore } from '#host/simulation/options.js' */
/** @import { Batch, Store } from '#store' */
/** @import { LeaderLog } from './leader-log.js' */

/** Blocks, or bytes of blocks, between two checkpoints. */
const usualCheckpoint = Object.freeze({ blocks: 2_000, bytes: 32 * 1024 * 1024 });

/** Bounds on the blocks, and their bytes, by which the kernel may be ahead of the log. */
const mostAhead = Object.freeze({ blocks: 32, bytes: 8 * 1024 * 1024 });

/** Whether a device hands out data in a block. @param {Batch} batch */
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
 * @param {boolean} [parts.isKept]  whether the local store outlives the process; default: true
 * @param {{ blocks: number, bytes: number }} [parts.checkpoint]
 * @param {() => Promise<void> | void} [parts.betweenBlocks]  called after each block, while no crank runs
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
  /**
   * Unacknowledged writes, in order. None of these promises rejects.
   *
   * @type {{ done: Promise<void>, bytes: number }[]}
   */
  const ahead = [];
  let aheadBytes = 0;
  /** @type {unknown} the reason why it stopped writing */
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

  /** Count a block, and write a checkpoint if it is due. @param {number} size  of the block */
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
    // betweenBlocks() reads the state from the store only: the kernel must have discarded its copy of the block, which it
    // does when commit() has returned.
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
    // The caller reuses the batch when this returns, so copy it to bytes now.
    commit: batch =>
      isKept
        ? commit(writeBatch(batch), findActivity())
        : commitAhead(batch, writeBatch(batch), findActivity()),
  });
};
