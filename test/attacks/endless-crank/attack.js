import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  inProcess: false,
  command: false,
  timeoutMs: 12_000,
  async more({ directory, swingsetRunner }) {
    const args = [directory, '--benchmark', '1', '--no-graphs', '--verbose', '--outdir', 'out'];
    for (const signals of [
      ['SIGINT', 'SIGINT'],
      ['SIGTERM', 'SIGTERM'],
    ]) {
      const { signal, stderr } = await swingsetRunner([...args, '--init'], {
        signals: signals.map((each, index) => ({
          afterMs: 200 + index * 1500,
          signal: /** @type {NodeJS.Signals} */ (each),
        })),
      });
      assert.notEqual(signal, 'SIGKILL', `it took no notice: ${stderr}`);
      const dumped = await swingsetRunner(['audit', 'out']);
      assert.equal(dumped.code, 0, dumped.stderr);
    }
  },
};
