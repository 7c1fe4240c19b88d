import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  rounds: 3,
  settings: [
    { env: { TZ: 'Asia/Tokyo' } },
    { env: { TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } },
  ],
  check({ rounds }) {
    assert.match(rounds[0], /^fulfilled .*1577836800000/);
  },
};
