import '#testkit/lockdown.js';

import test from 'ava';
import { rawSupervisors, supervisors } from '../index.js';

const parameters = { smallcaps: '#{}', qclass: '{}' };

const policy = () => ({ name: 'TypeError', message: 'what is told' });

/** @param {any} supervisor @param {'smallcaps' | 'qclass'} notation */
const startOf = async (supervisor, notation) => {
  supervisor.begin(['startVat', { body: parameters[notation], slots: [] }], () => {});
  await new Promise(setImmediate);
  return supervisor.finish();
};

for (const notation of /** @type {const} */ (['smallcaps', 'qclass'])) {
  const fail = () => {
    throw TypeError('a text of the engine');
  };
  const options = { vatId: 'v1', vatPowers: {}, errorPolicy: policy };

  test(`${notation}: what is told of a failed start is the policy's, and the vat's owner hears all`, async t => {
    /** @type {string[]} */
    const heard = [];
    const onSentError = (/** @type {any} */ error) => heard.push(error.message);
    const usual = supervisors[notation]({ ...options, onSentError, buildRoot: fail });
    t.is((await startOf(usual, notation)).fault, 'TypeError: what is told');
    const raw = rawSupervisors[notation]({ ...options, onSentError, setup: fail });
    t.is((await startOf(raw, notation)).fault, 'TypeError: what is told');
    t.deepEqual(heard, ['a text of the engine', 'a text of the engine']);
  });

  test(`${notation}: whatever is thrown at a start has a text`, async t => {
    for (const thrown of [undefined, null, 'text', 3]) {
      const supervisor = supervisors[notation]({
        vatId: 'v1',
        vatPowers: {},
        onSentError: () => {},
        buildRoot: () => {
          throw thrown;
        },
      });
      t.is((await startOf(supervisor, notation)).fault, String(thrown));
    }
  });
}
