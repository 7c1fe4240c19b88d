// Random programs of reactors over hosts that come and go do what they do on one thread.
//
// SWINGSET_RUNNER_WORKERS=long tries 200 of them.

import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { makeMemoryCluster } from '../packages/cluster/test/memory-cluster.js';
import { startHost, startLeader } from '../packages/cluster/test/run-cluster.js';
import { runInLibrary } from './reactors/in-library.js';
import { loadSplit, runForDigest } from './reactors/in-vats.js';
import { randomProgram } from './reactors/random-program.js';
import { arbShape } from './reactors/random-shape.js';

const cacheDir = path.join(os.tmpdir(), 'swingset-runner-test-cache');
const isLong = process.env.SWINGSET_RUNNER_WORKERS === 'long';

const randomModule = new URL('reactors/random-program.js', import.meta.url);

const leaseMs = 1_000;

/** Messages are late, double and lost. */
const faults = { drop: 0.02, double: 0.05, delay: 0.3, longestDelayMs: 2 };

/** In vats one of these does not start, and the other does not end. */
const cannotRun = /zero-delay cycle|more than 200 microsteps/;

test.serial(
  'random programs of reactors are the same over hosts, one of which is cut off',
  async t => {
    const how = fc.record({
      hosts: fc.integer({ min: 1, max: 3 }),
      blockSize: fc.integer({ min: 1, max: 30 }),
      twins: fc.constantFrom(1, 1, 2),
      cutAt: fc.integer({ min: 3, max: 12 }),
      seed: fc.nat(1_000),
    });
    await fc.assert(
      fc.asyncProperty(arbShape, how, async (shape, { hosts, blockSize, twins, cutAt, seed }) => {
        const what = randomProgram(shape, 30);
        try {
          await runInLibrary(what);
        } catch (error) {
          // Two that can run, since no random program might.
          fc.pre(!cannotRun.test(/** @type {Error} */ (error).message));
          throw error;
        }
        const { hash } = await runForDigest(what, randomModule, {});
        const memory = makeMemoryCluster({ seed });
        const parties = Array.from({ length: hosts }, (_, i) =>
          memory.connect(`h${i + 1}`, faults),
        );
        let isOver = false;
        const hosting = parties.map((party, i) =>
          startHost(party, `h${i + 1}`, { cacheDir, shouldStop: () => isOver }),
        );
        const [first] = parties;
        const watch = setInterval(() => {
          if (memory.records.length < cutAt) return;
          clearInterval(watch);
          first.cutOff();
          setTimeout(() => first.mend(), seed % 2 === 0 ? 1.5 * leaseMs : 10);
        }, 1);
        const leading = startLeader(memory.connect('leader', faults), {
          ...{ hosts, twins: Math.min(twins, hosts) },
          others: { config: loadSplit(what, randomModule), leaseMs, blockSize },
        });
        const { activity } = await leading.finally(() => clearInterval(watch));
        isOver = true;
        await Promise.all(hosting);
        t.is(activity, hash);
      }),
      { numRuns: isLong ? 200 : 2 },
    );
  },
);
