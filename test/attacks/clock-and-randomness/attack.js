import assert from 'node:assert/strict';

/** @type {import('../harness/attack-types.js').Attack} */
export default {
  keepsLog: true,
  settings: [
    { env: { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'sv', TZ: 'UTC' } },
    {
      node: ['--random-seed=7', '--hash-seed=11', '--max-lazy'],
      env: { NODE_ICU_DATA: '/nowhere' },
    },
  ],
  check({ log }) {
    for (const name of [
      'now',
      'newDate',
      'dateCall',
      'dateOfReflect',
      'dateOfArray',
      'innerDate',
      'innerNow',
      'constructorOfDate',
      'random',
      'innerRandom',
    ])
      assert(log.includes(`bootstrap: ${name}: TypeError`), `${name}: ${log.join('\n')}`);
  },
};
