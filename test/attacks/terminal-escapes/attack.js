import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  exitCode: 1,
  moreOnEachNode: false,
  async more({ directory, swingsetRunner }) {
    for (const flag of ['--verbose', '--no-verbose']) {
      const { stdout, stderr } = await swingsetRunner([directory, '--memdb', '--no-graphs', flag]);
      for (const line of [...stdout.split('\n'), ...stderr.split('\n')]) {
        assert(!/^vat bob|^swingset-runner: all/.test(line), `a forged line: ${line}`);
      }
    }
  },
};
