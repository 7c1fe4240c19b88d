import assert from 'node:assert/strict';

const vats = ['often', 'twin', 'seldom', 'never'];

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  blockSize: 431,
  settings: [
    { node: ['--max-semi-space-size=64'] },
    { node: ['--max-semi-space-size=1', '--max-old-space-size=200', '--gc-interval=20000'] },
  ],
  check({ log }) {
    /** @param {string} name @param {number} [from]  of the first rounds all is new */
    const missedBy = (name, from = 3) =>
      log
        .map(line => /^bootstrap: (\w+), (\d+): (.*)$/.exec(line))
        .filter(match => match !== null && match[1] === name && Number(match[2]) >= from)
        .map(match => JSON.parse(match?.[3] ?? ''));
    for (const name of vats) {
      assert.equal(missedBy(name, 0).length, 10);
      for (const missed of missedBy(name))
        for (const what of Object.keys(missed)) {
          // Mallory's own objects are new each time, and so is the proxy for one of them.
          if (/given|E of (own|root)/.test(what)) continue;
          // A vat that is never asked loses nothing; one that is asked, presences that it does not hold.
          assert(name !== 'never' && /^(E of )?(thing|key)$/.test(what), `${name}: ${what}`);
        }
    }
    const losesOf = (/** @type {string} */ name) =>
      missedBy(name).filter(({ thing, key }) => thing > 0 && key > 0).length;
    assert(losesOf('often') > losesOf('seldom') && losesOf('seldom') > 0);
    assert.deepEqual(missedBy('often'), missedBy('twin'));
  },
  hosts: {
    'collecting-host.js'({ stdout }) {
      const [first, ...others] = stdout.trim().split('\n');
      assert.match(first, /^[0-9a-f]{64} /);
      assert.equal(others.length, 2);
      for (const other of others) assert.equal(other, first);
    },
  },
};
