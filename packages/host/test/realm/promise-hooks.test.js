// Async hooks of the host program and the promises of vats. test/attacks/async-hooks has what a vat makes of them.

import { createHook } from 'node:async_hooks';
import test from 'ava';
import { ensureLockdown } from '#loader/lockdown.js';
import { inMacrotask } from '#host/engine/macrotask.js';
import { keepSuspended, withoutPromiseHooks } from '#host/engine/promise-hooks.js';
import { probeDrain } from '#host/engine/drain-jobs.js';

await ensureLockdown();

const marks = () => Reflect.ownKeys(Promise.resolve()).length;

test.serial("promises are not marked during vats' code, but before and after", async t => {
  const drain = await probeDrain({ env: {} });
  const hook = createHook({ init() {} }).enable();
  const inner = await inMacrotask(() =>
    withoutPromiseHooks(drain, () => [marks(), withoutPromiseHooks(drain, marks), marks()]),
  );
  const after = marks();
  hook.disable();
  t.deepEqual(inner, [0, 0, 0]);
  t.true(after > 0);
  // Node takes them away in a job.
  await inMacrotask(() => {});
  t.is(marks(), 0);
});

test.serial(
  'inside a promise job nothing runs, since what runs could not come to rest',
  async t => {
    const drain = await probeDrain({ env: {} });
    const within = () => t.fail('it ran');
    const refused = { name: 'UserError', message: /cranks cannot run inside a promise job/ };
    await null;
    t.throws(() => withoutPromiseHooks(drain, within), refused);
    await new Promise(resolve => setImmediate(resolve));
    // Still inside a job: the one that goes on after the await.
    t.throws(() => withoutPromiseHooks(drain, within), refused);
    t.is(await inMacrotask(() => withoutPromiseHooks(drain, () => 'it ran')), 'it ran');
  },
);

test.serial('hooks are restored when it throws', async t => {
  const drain = await probeDrain({ env: {} });
  const hook = createHook({ init() {} }).enable();
  const fail = () => {
    throw Error('on purpose');
  };
  await t.throwsAsync(
    inMacrotask(() => withoutPromiseHooks(drain, fail)),
    { message: 'on purpose' },
  );
  const after = marks();
  hook.disable();
  t.true(after > 0);
});

test.serial('hooks enabled or disabled meanwhile are in force afterwards', async t => {
  const drain = await probeDrain({ env: {} });
  const hook = createHook({ init() {} });
  const on = await inMacrotask(() =>
    withoutPromiseHooks(drain, () => {
      hook.enable();
      keepSuspended();
      return marks();
    }),
  );
  const whileOn = marks();
  await inMacrotask(() => withoutPromiseHooks(drain, () => hook.disable()));
  t.is(on, 0);
  t.true(whileOn > 0);
  await inMacrotask(() => {});
  t.is(marks(), 0);
});

test.serial('if a crank takes many turns, hooks are refused with an error', async t => {
  const drain = await probeDrain({ force: 'immediate' });
  t.is(
    withoutPromiseHooks(drain, () => 1),
    1,
  );
  const hook = createHook({ init() {} }).enable();
  try {
    t.throws(() => withoutPromiseHooks(drain, marks), {
      name: 'UserError',
      message: /^async hooks are on in this process .* run the simulation in a worker thread/,
    });
  } finally {
    hook.disable();
  }
});
