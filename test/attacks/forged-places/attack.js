import assert from 'node:assert/strict';

const quiet = ['--memdb', '--no-graphs', '--no-stats', '--no-logall'];

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  async more({ directory, swingsetRunner }) {
    for (const flags of [['--verbose'], ['--no-verbose'], ['--verbose', '--vatlog', 'log.txt']]) {
      const { stdout, stderr } = await swingsetRunner([directory, ...quiet, ...flags]);
      for (const line of [...stdout.split('\n'), ...stderr.split('\n')]) {
        assert(
          !/^vat alice: (I did|hello)|^swingset-runner|^ +at alice/.test(line),
          `forged: ${line}`,
        );
        assert(line.length < 20_000, `a line of ${line.length} characters`);
      }
    }
  },
};
