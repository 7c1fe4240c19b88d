import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  profiles: ['current', '2020-09'],
  settings: [
    { env: { TZ: 'Pacific/Chatham', LC_ALL: 'de_DE.UTF-8' } },
    { env: { TZ: 'America/New_York' } },
  ],
  check({ log }) {
    assert.equal(log.length, 24);
    const text = 'Wed Jul 01 2020 12:00:00 GMT+0000 (Coordinated Universal Time)';
    const time = '12:00:00 GMT+0000 (Coordinated Universal Time)';
    for (const line of log)
      assert.equal(line, `bootstrap: 1593604800000,${text},12,0,${text},${text},${time}`);
  },
};
