// Measures a run over several processes of one machine, with a nats-server of its own:
// SWINGSET_RUNNER_NATS_SERVER, or the one on the PATH. Without one, only the embedded store is
// measured. Rows with a goal name it, in their unit.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import process from 'node:process';
import { spreadOf } from '#measure';
import { ask } from '../process.js';
import { conversations, measureStep } from '../threads/step.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */

const module = new URL('run.js', import.meta.url);
const threads = new URL('../threads/run.js', import.meta.url);

const server = process.env.SWINGSET_RUNNER_NATS_SERVER || 'nats-server';

/** Microseconds of work in a crank of the wide program: the mean over all cranks. */
const crankUs = 1_000;

/** @type {Suite} */
export default {
  about: 'a run over a leader and hosts with NATS JetStream: rounds, failover, moves, replication',
  async run({ small }) {
    const size = small
      ? { rounds: 3, warmup: 1, wide: 3, turns: 1, failovers: 1, cranks: 20, moves: 1, commits: 20 }
      : {
          rounds: 2_000,
          warmup: 1_000,
          wide: 30,
          turns: 5,
          failovers: 5,
          cranks: 5_100,
          moves: 5,
          commits: 1_000,
        };
    const usual = { server, program: 'demos/pingpong', argv: [], hosts: 1, leaseMs: 1_000 };
    /** @type {Figure[]} */
    const figures = [];
    /** @type {(name: string, unit: string, values: number[], params?: object) => void} */
    const add = (name, unit, values, params = {}) =>
      void figures.push({ name, unit, ...spreadOf(values), params: { ...params } });
    const digest = createHash('sha256');

    const hasServer = spawnSync(server, ['--version']).status === 0;
    const commits = { ...usual, warmup: small ? 0 : 100, rounds: size.commits };
    if (hasServer) {
      const round = await ask(module, {
        ...usual,
        ...{ kind: 'rounds', warmup: size.warmup, rounds: size.rounds },
      });
      digest.update(round.activity);
      add('pingpong over one host: a round (goal 2,000)', 'us', round.valuesUs);
      add('pingpong over one host: of it, processor time of the leader', 'us', [round.leaderUs]);

      const [ratios, clustered, threaded] = [[], [], []].map(
        each => /** @type {number[]} */ (each),
      );
      const step = await measureStep(small);
      digest.update(step.digest);
      const argv = [`work=${small ? 1_000 : Math.round(crankUs / step.stepUs)}`];
      for (let turn = 0; turn < size.turns; turn += 1) {
        const wide = {
          ...{ program: conversations, argv },
          ...{ warmup: small ? 1 : 20, rounds: size.wide },
        };
        const over = await ask(module, { ...usual, ...wide, kind: 'rounds', hosts: 2 });
        const beside = await ask(threads, { ...wide, workers: 2 });
        if (over.activity !== beside.activityHash) throw Error('the hash depends on the hosts');
        const { median } = spreadOf(over.valuesUs);
        clustered.push(median);
        threaded.push(beside.roundUs);
        ratios.push(median / beside.roundUs);
      }
      add('16 vats, 1 ms a crank: a round over two hosts', 'us', clustered);
      add('16 vats, 1 ms a crank: a round with --workers 2', 'us', threaded);
      add('16 vats, 1 ms a crank: two hosts / --workers 2 (goal 1.25)', 'times', ratios);

      for (const [kind, name] of /** @type {const} */ ([
        ['hostFailover', 'a host is killed: beyond its lease, until the next block (goal 2,000)'],
        [
          'leaderFailover',
          'the leader is killed: beyond its lease, until the next block (goal 2,000)',
        ],
      ])) {
        const values = [];
        for (let turn = 0; turn < size.failovers; turn += 1) {
          const { valuesMs } = await ask(module, { ...usual, kind, warmup: 20, rounds: 0 });
          values.push(...valuesMs);
        }
        add(name, 'ms', values, { leaseMs: usual.leaseMs });
      }

      const moved = await ask(module, {
        ...usual,
        ...{ kind: 'move', warmup: size.cranks, rounds: size.moves },
      });
      add('a vat moves to another host, live (goal 500)', 'ms', moved.valuesMs, {
        first: moved.told[0],
      });
      add('a vat moves to another host: of it, the vat stands still', 'ms', moved.stillMs);

      for (const syncInterval of ['2m', 'always']) {
        const { valuesUs } = await ask(module, { ...commits, kind: 'commit', syncInterval });
        add(`a block is acknowledged, sync_interval ${syncInterval}`, 'us', valuesUs);
      }
    }
    const { valuesUs } = await ask(module, { ...commits, kind: 'lmdb' });
    add('the same block in LMDB, on the disk', 'us', valuesUs);
    return { figures, digest: digest.digest('hex') };
  },
};
