import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  blockSize: 1000,
  // A repeater of hers never ends.
  inProcess: false,
  command: false,
  async more({ directory, swingsetRunner }) {
    const args = [
      directory,
      '--no-graphs',
      '--no-stats',
      '--activityhash',
      '--vatlog',
      '-',
      '--until',
      '500 s',
    ];
    const { code, stdout, stderr } = await swingsetRunner([
      ...args,
      '--memdb',
      '--max-cranks',
      '60000',
    ]);
    assert.match(
      stdout,
      /^honest: on time\n[^]*^honest: on time$/m,
      `${code} ${stderr.slice(0, 800)} ${stdout.slice(0, 800)}`,
    );
    assert(!/this is a bug|timer was ended/.test(stderr), stderr.slice(0, 800));
  },
};
