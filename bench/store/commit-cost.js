// Measures the cost of a commit to its thread, by kind of store and durability, compared with the
// rejected ways of writing a block and with the disk's own time for one page. All alternate in one
// run, so that a noisy neighbour affects every side.

import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { open } from 'lmdb';
import { spreadOf } from '#measure';
import { makeMemoryStore, openLmdbStore, storeDigest } from '#store';
import { openPage } from '../disk.js';

/** @import { Figure } from '#measure' */
/** @import { Batch, Store } from '#store' */

/** Blocks that one contestant commits before the next one starts. */
const turnBlocks = 100;

/** Microseconds that the group contestant spends between two commits, as a run of seven cranks would. */
const workUs = 40;

const nowUs = () => Number(process.hrtime.bigint()) / 1000;

/**
 * A block like that of a round of the PingPong demo: overwritten kernel keys, created and deleted
 * promises, two transcripts and the inputs.
 *
 * @param {number} n
 * @returns {Batch}
 */
const blockOf = n => {
  /** @type {Map<string, string | undefined>} */
  const puts = new Map();
  for (let i = 0; i < 8; i += 1)
    puts.set(`kernel.${i}`, `{"count":${n}}`.padEnd(100 + i * 50, '.'));
  for (let i = 0; i < 3; i += 1) {
    puts.set(`kp${n * 3 + i}`, `{"state":"unresolved","decider":"v${n % 5}"}`.padEnd(200, '.'));
    if (n > 1) puts.set(`kp${(n - 2) * 3 + i}`, undefined);
  }
  const appends = new Map(
    ['transcript.v1', 'transcript.v2', 'inputs'].map(name => [name, Buffer.alloc(250, n)]),
  );
  return { puts, appends };
};

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {(batch: Batch) => void} commit
 * @property {() => Promise<void> | void} close
 * @property {number} share  of the blocks; smaller for contestants that wait for the disk
 * @property {boolean} [yields]  whether it yields the thread between two commits
 * @property {Store} [store]
 */

/**
 * One LMDB transaction per block, with streams in pieces, like the store.
 *
 * @param {string} name
 * @param {string} file
 * @param {object} options
 * @param {number} share
 * @returns {Contestant}
 */
const transactionABlock = (name, file, options, share) => {
  const root = open({ path: file, noSubdir: true, maxDbs: 2, overlappingSync: false, ...options });
  const state = root.openDB({ name: 'state', encoding: 'string', cache: false });
  const pieces = root.openDB({ name: 'pieces', encoding: 'binary', cache: false });
  /** @type {Map<string, { number: number, tail: Buffer }>} */
  const streams = new Map();
  return {
    name,
    share,
    commit({ puts, appends }) {
      root.transactionSync(() => {
        puts.forEach((value, key) => {
          if (value === undefined) state.removeSync(key);
          else state.putSync(key, value);
        });
        appends?.forEach((bytes, stream) => {
          const at = streams.get(stream) ?? { number: 0, tail: Buffer.of() };
          at.tail = Buffer.concat([at.tail, bytes]);
          while (at.tail.length >= 4072) {
            pieces.putSync(`${stream}/${at.number}`, at.tail.subarray(0, 4072));
            at.tail = at.tail.subarray(4072);
            at.number += 1;
          }
          pieces.putSync(`${stream}/${at.number}`, at.tail);
          streams.set(stream, at);
        });
      });
    },
    close: () => root.close(),
  };
};

/**
 * A record of a block's size, appended to a growing file.
 *
 * @param {string} name
 * @param {string} file
 * @param {boolean} sync
 * @param {number} share
 * @returns {Contestant}
 */
const appendedRecord = (name, file, sync, share) => {
  const fd = fs.openSync(file, 'w');
  const bytes = Buffer.alloc(4000, 1);
  return {
    name,
    share,
    commit() {
      fs.writeSync(fd, bytes, 0, bytes.length);
      if (sync) fs.fdatasyncSync(fd);
    },
    close: () => fs.closeSync(fd),
  };
};

/**
 * @param {string} file
 * @param {number} share
 * @returns {Contestant}
 */
const onePage = (file, share) => {
  const page = openPage(file);
  return {
    name: 'disk: write and fdatasync of one page',
    share,
    commit: page.write,
    close: page.close,
  };
};

/**
 * @param {{ dir: string, blocks: number }} options  `dir` is empty before, and contains files of
 *   about 100 MB afterwards
 * @returns {Promise<{ figures: Figure[], digest: string }>} the digest covers the stores that
 *   committed every block
 */
export const measureCommits = async ({ dir, blocks }) => {
  /** @param {string} name */
  const file = name => path.join(dir, name);
  /** @type {(name: string, store: Store, share: number, yields?: boolean) => Contestant} */
  const ours = (name, store, share, yields) => ({
    name,
    store,
    share,
    yields,
    commit: store.commit,
    close: store.close,
  });
  /** @type {(durability: import('#store').Durability) => Store} */
  const lmdb = durability => openLmdbStore({ dir: file(durability), durability, create: true });
  /** @type {Contestant[]} */
  const contestants = [
    ours('memory', makeMemoryStore(), 1),
    ours('lmdb, none', lmdb('none'), 1),
    ours('lmdb, group', lmdb('group'), 1, true),
    ours('lmdb, commit', lmdb('commit'), 0.1),
    onePage(file('page'), 0.1),
    transactionABlock('not taken: transaction a block, no sync', file('a'), { noSync: true }, 1),
    transactionABlock('not taken: transaction a block, sync', file('b'), {}, 0.1),
    appendedRecord('not taken: growing log, no sync', file('c'), false, 1),
    appendedRecord('not taken: growing log, fdatasync', file('d'), true, 0.1),
  ];
  const runs = contestants.map(contestant => ({
    contestant,
    samples: /** @type {number[]} */ ([]),
    /** The mean of each turn, which includes checkpoints and other rare work. */
    means: /** @type {number[]} */ ([]),
    done: 0,
  }));
  for (let turn = 1; turn * turnBlocks <= blocks; turn += 1) {
    for (const run of runs) {
      const { contestant, samples } = run;
      const end = Math.floor(turn * turnBlocks * contestant.share);
      let sum = 0;
      const first = run.done;
      for (; run.done < end; run.done += 1) {
        const batch = blockOf(run.done);
        const start = nowUs();
        contestant.commit(batch);
        const took = nowUs() - start;
        samples.push(took);
        sum += took;
        if (contestant.yields) {
          while (nowUs() < start + workUs);
          await new Promise(resolve => setImmediate(resolve));
        }
      }
      run.means.push(sum / (end - first));
    }
  }
  const digests = new Set(
    runs
      .filter(({ contestant, done }) => contestant.store && done === blocks)
      .map(({ contestant }) => storeDigest(/** @type {Store} */ (contestant.store))),
  );
  if (digests.size !== 1) throw Error(`stores differ after the same ${blocks} blocks`);
  for (const { contestant } of runs) await contestant.close();

  const params = { blocks, turnBlocks, workUs };
  /** @type {(name: string, values: number[]) => Figure} */
  const figure = (name, values) => ({ name, unit: 'us', ...spreadOf(values), params });
  return {
    figures: runs.flatMap(({ contestant, samples, means }) => [
      figure(contestant.name, samples),
      figure(`${contestant.name}, mean of a turn`, means),
    ]),
    digest: [...digests][0],
  };
};
