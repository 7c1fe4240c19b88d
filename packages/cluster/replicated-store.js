// The store of a leader. A block is committed when the log has acknowledged it, and only then is it applied here. So what is
// here is a copy that can be made again, and what devices hand out leaves after the acknowledgement, as the kernel hands it
// out when `commit` is done.

import { stateFileChunks } from '#store';
import { writeBatch } from './batch-bytes.js';
import { applyBlock } from './follower.js';

/** @import { SimulationStore } from '#host/simulation/options.js' */
/** @import { Store } from '#store' */
/** @import { LeaderLog } from './leader-log.js' */

/** After so many blocks, or bytes of blocks, the whole state is written as a checkpoint. */
const usualCheckpoint = Object.freeze({ blocks: 2_000, bytes: 32 * 1024 * 1024 });

/**
 * @param {object} parts
 * @param {Store} parts.local
 * @param {LeaderLog} parts.log
 * @param {() => string} parts.findActivity  the activity hash at the end of the block
 * @param {{ blocks: number, bytes: number }} [parts.checkpoint]
 * @param {() => Promise<void> | void} [parts.betweenBlocks]  called when a block is committed, while nothing runs
 * @returns {SimulationStore}
 */
export const makeReplicatedStore = ({
  local,
  log,
  findActivity,
  checkpoint = usualCheckpoint,
  betweenBlocks = () => {},
}) => {
  let blocks = 0;
  let bytes = 0;

  /** @param {Uint8Array} batch @param {string} activity */
  const commit = async (batch, activity) => {
    await log.appendBlock(batch, activity);
    applyBlock(local, batch, log.head);
    blocks += 1;
    bytes += batch.length;
    if (blocks >= checkpoint.blocks || bytes >= checkpoint.bytes) {
      blocks = 0;
      bytes = 0;
      await log.checkpoint(Buffer.concat([...stateFileChunks(local, { hasLocal: true })]));
    }
    await betweenBlocks();
  };

  const { get, getBytes, entries, nextKey, readStream, streamChunks, streamLength } = local;
  const { streamNames, diskBytes, tableBytes, streamBytes, logBytes, flushed, close } = local;
  return Object.freeze({
    ...{ get, getBytes, entries, nextKey, readStream, streamChunks, streamLength, streamNames },
    ...{ diskBytes, tableBytes, streamBytes, logBytes, flushed, close },
    isDurable: () => true,
    // The batch is free again when this returns, so it is written down at once.
    commit: batch => commit(writeBatch(batch), findActivity()),
  });
};
