import assert from 'node:assert/strict';

const quiet = ['--no-graphs', '--no-stats', '--outdir', 'out', '--blocksize', '3'];

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  // Her depth is another in another way of running: only the command below can be held to something.
  inProcess: false,
  command: false,
  async more({ directory, swingsetRunner }) {
    const first = await swingsetRunner([directory, '--init', '--benchmark', '4', ...quiet]);
    assert.equal(first.code, 0, first.stderr);
    // Another depth, for sure.
    const smaller = { node: ['--stack-size=500'] };
    const resumed = [directory, '--resume', '--benchmark', '8', ...quiet];
    const refused = await swingsetRunner(resumed, smaller);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^swingset-runner: vat mallory does not replay: in its delivery \d+ \(message, at 0ns\.\d+\), syscall \d+, .*--end-diverging/m,
    );
    const ended = await swingsetRunner([...resumed, '--end-diverging'], smaller);
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stderr, /vat mallory was ended: it does not replay: /);
    // Without her, nothing differs any more, on whatever stack.
    const on = await swingsetRunner([
      ...[directory, '--resume', '--benchmark', '12', ...quiet],
      ...['--audit', '--statsfile', 'report.json'],
    ]);
    assert.equal(on.code, 0, on.stderr);
    const dumped = await swingsetRunner(['dump', 'out']);
    assert.match(dumped.stdout, /mallory \(ended\)/);
    assert.equal((await swingsetRunner(['audit', 'out'])).code, 0);
  },
};
