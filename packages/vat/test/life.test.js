// The life of a vat: its start, and the end of each crank.

import '#testkit/lockdown.js';

import test from 'ava';
import { refusalsToday } from '../eventual-send/index.js';
import { makeLife } from '../supervisor/life.js';
import { References, rootVref } from '../supervisor/references.js';
import { SyscallBuffer } from '../supervisor/syscall-buffer.js';

/** @import { LifeParts, Supervisor } from '../supervisor/life.js' */

const when = { timeNs: 0, microstep: 0, stage: 0 };

const answer = () => {
  throw Error('nothing is asked here');
};

/**
 * @param {Partial<LifeParts>} parts
 * @param {object} [root]
 * @param {object} [options]
 */
const beginLife = (parts, root, options) => {
  /** @type {unknown[]} */
  const heard = [];
  const syscalls = new SyscallBuffer();
  const references = new References();
  /** @type {Supervisor} */
  const life = makeLife(
    { root, onSentError: error => void heard.push(error), ...options },
    {
      ...{ syscalls, references, refusals: refusalsToday },
      start: async () => {},
      dispatch: () => {},
      ...parts,
    },
  );
  /** @param {any} delivery */
  const deliver = async delivery => {
    life.begin(delivery, answer, when);
    await new Promise(setImmediate);
    return life.finish();
  };
  return { deliver, heard, references, syscalls };
};

const startVat = ['startVat', { body: '#{}', slots: [] }];

test('a vat has started when its root object is ready, and is known by it', async t => {
  const root = harden({});
  const { deliver, references } = beginLife({ start: async (_data, begun) => begun(root) });
  t.is((await deliver(startVat)).fault, null);
  t.is(references.findVref(root), rootVref);
});

test('a root object that waits for something else is a fault of the first crank', async t => {
  const { deliver } = beginLife({ start: () => new Promise(() => {}) });
  t.regex((await deliver(startVat)).fault ?? '', /^buildRootObject unresolved/);
});

test('a start that throws is a fault with its text, and the owner hears the error', async t => {
  const error = Error('no root today');
  const { deliver, heard } = beginLife({ start: () => Promise.reject(error) });
  t.is((await deliver(startVat)).fault, 'Error: no root today');
  t.deepEqual(heard, [error]);
});

test('the policy of errors decides the text of a fault', async t => {
  const errorPolicy = () => ({ name: 'Error', message: 'a text of its own' });
  const parts = { start: () => Promise.reject(Error('what the engine said')) };
  const { deliver } = beginLife(parts, undefined, { errorPolicy });
  t.is((await deliver(startVat)).fault, 'Error: a text of its own');
});

test('a vat with a root object takes deliveries without a start', async t => {
  /** @type {string[]} */
  const seen = [];
  const { deliver } = beginLife({ dispatch: ([kind]) => void seen.push(kind) }, harden({}));
  const { fault, syscalls } = await deliver(['notify', []]);
  t.deepEqual([fault, syscalls, seen], [null, [], ['notify']]);
});

test('what is left to write is written before the syscalls are taken', async t => {
  /** @type {ReturnType<typeof beginLife>} */
  const vat = beginLife({ flush: () => vat.syscalls.vatstoreSet('k', 'v') }, harden({}));
  t.deepEqual((await vat.deliver(['notify', []])).syscalls, [['vatstoreSet', 'k', 'v']]);
});

test('the wish to be asked for dead references goes with the result, if there is one', async t => {
  let wants = true;
  const { deliver } = beginLife({ takeWish: () => wants }, harden({}));
  t.true((await deliver(['notify', []])).wantsAsking);
  wants = false;
  t.is((await deliver(['notify', []])).wantsAsking, undefined);
});
