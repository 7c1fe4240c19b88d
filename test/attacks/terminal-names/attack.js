import assert from 'node:assert/strict';

// eslint-disable-next-line no-control-regex
const moves = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** @param {import('../harness/attack-types.js').Ran} ran */
const assertClean = ({ stdout, stderr }) => {
  for (const line of [...stdout.split('\n'), ...stderr.split('\n')]) {
    assert.doesNotMatch(line, /^swingset-runner: all|^vat honest: here/);
    assert.doesNotMatch(line, moves);
  }
};

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  timeoutMs: 300_000,
  moreOnEachNode: false,
  async more({ directory, swingsetRunner }) {
    for (const flag of ['--verbose', '--no-verbose']) {
      const ran = await swingsetRunner([
        directory,
        '--init',
        '--no-graphs',
        '--outdir',
        'out',
        flag,
      ]);
      assertClean(ran);
      assert.ok(ran.stderr.split('\n').every(line => line.length < 3_000));
    }
    // Vats' lines stand alone in the log of vats: there is no prefix that could be forged, but nothing moves the cursor.
    const { stdout } = await swingsetRunner([directory, '--memdb', '--no-graphs', '--vatlog', '-']);
    assertClean({ code: 0, signal: null, stdout: stdout.replaceAll('\n', ' '), stderr: '' });
    for (const args of [
      ['dump', 'out'],
      ['dump', 'out', '--raw'],
      ['report', 'out'],
      ['report', 'out', '--growth'],
      ['replay', 'out'],
      ['audit', 'out'],
    ])
      assertClean(await swingsetRunner(args));
  },
};
