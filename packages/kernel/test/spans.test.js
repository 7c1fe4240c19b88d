// A vat's transcript is that of its present incarnation: a new one begins a span, and those before it go with the block.

import test from 'ava';

import { audit } from '#kernel';
import { dumpTables, makeTestKernel } from '#testkit';

const vats = () => ({ boot: () => {}, other: () => {} });

/** @param {import('#kernel').Kernel} kernel @param {string} vatId */
const cranksOf = (kernel, vatId) => [...kernel.transcript(vatId)].length;

const makeRun = async () => {
  const run = makeTestKernel({ vats: vats() });
  const crank = async () => {
    run.send('boot', 'crank');
    await run.run();
  };
  await crank();
  run.kernel.commit();
  return { run, crank };
};

test('a new incarnation begins a transcript, and the one before is deleted with the block', async t => {
  const { run, crank } = await makeRun();
  const { kernel, state, store } = run;
  const others = cranksOf(kernel, 'v2');
  t.true(cranksOf(kernel, 'v1') > 0);
  t.is(kernel.transcriptStream('v1'), 't.v1.0');
  t.is(state.beginIncarnation('v1'), 1);
  state.keepBetweenCranks();
  t.is(kernel.transcriptStream('v1'), 't.v1.1');
  t.is(cranksOf(kernel, 'v1'), 0);
  t.true(store.streamLength('t.v1.0') > 0);
  await crank();
  kernel.commit();
  t.is(cranksOf(kernel, 'v1'), 1);
  t.is(cranksOf(kernel, 'v2'), others);
  t.is(store.streamLength('t.v1.0'), 0);
  t.true(store.streamLength('t.v1.1') > 0);
  t.deepEqual(audit(state), []);
});

test('two incarnations in one block leave the last one', async t => {
  const { run, crank } = await makeRun();
  const { kernel, state, store } = run;
  for (let incarnation = 1; incarnation <= 3; incarnation += 1) {
    await crank();
    t.is(state.beginIncarnation('v1'), incarnation);
    state.keepBetweenCranks();
    await crank();
  }
  t.deepEqual(audit(state), []);
  kernel.commit();
  t.deepEqual(
    store.streamNames().filter(name => name.startsWith('t.v1.')),
    ['t.v1.3'],
  );
  t.is(cranksOf(kernel, 'v1'), 1);
  t.deepEqual(audit(state), []);
});

test('an incarnation that is dropped with its crank leaves the transcript as it was', async t => {
  const { run, crank } = await makeRun();
  const { kernel, state } = run;
  const before = dumpTables(state);
  const count = cranksOf(kernel, 'v1');
  state.catchUp();
  state.beginIncarnation('v1');
  state.transcript('v1');
  state.drop();
  t.deepEqual(dumpTables(state), before);
  await crank();
  t.is(cranksOf(kernel, 'v1'), count + 1);
  kernel.commit();
  t.is(cranksOf(kernel, 'v1'), count + 1);
  t.deepEqual(audit(state), []);
});

test('a loaded state continues the span of the incarnation', async t => {
  const { run, crank } = await makeRun();
  run.state.beginIncarnation('v1');
  run.state.keepBetweenCranks();
  await crank();
  run.kernel.commit();
  const resumed = makeTestKernel({ vats: vats(), store: run.store, resume: true });
  t.is(resumed.kernel.vat('v1').incarnation, 1);
  t.is(cranksOf(resumed.kernel, 'v1'), 1);
  resumed.send('boot', 'crank');
  await resumed.run();
  t.is(cranksOf(resumed.kernel, 'v1'), 2);
  t.is(resumed.state.beginIncarnation('v1'), 2);
  resumed.state.keepBetweenCranks();
  resumed.kernel.commit();
  t.deepEqual(
    run.store.streamNames().filter(name => name.startsWith('t.v1.')),
    [],
  );
});

test('the audit names a span of an earlier incarnation', async t => {
  const { run } = await makeRun();
  run.state.stream('t.v1.7').byte(1);
  t.deepEqual(audit(run.state), ['a transcript of vat v1: "t.v1.7", should be "t.v1.0"']);
});
