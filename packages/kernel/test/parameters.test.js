// The references in the parameters of a vat that the run makes.

import test from 'ava';
import { audit } from '#kernel';
import { data, makeTestKernel } from '#testkit';
import { ask, never } from './collection-programs.js';
import { idle, make, makerDevice } from './births.js';

/** @typedef {import('#testkit').React} React */

test("a vat's row keeps the references in its parameters after the vat has dropped them", async t => {
  /** @type {string[]} */
  const told = [];
  /** @type {React} */
  const boot = (delivery, call, crank) => {
    if (crank === 1) make(call, 'alice', ['o+5']);
    else if (delivery[0] !== 'bringOutYourDead') told.push(delivery[0]);
  };
  /** @type {React} */
  const alice = (delivery, call) => {
    if (delivery[0] !== 'bringOutYourDead') return;
    call('dropImports', ['o-50']);
    call('retireImports', ['o-50']);
  };
  const run = makeTestKernel({
    vats: { boot: { react: boot, ...never }, vatAdmin: { react: idle, ...never } },
    sources: { alice },
    devices: { maker: makerDevice('#') },
  });
  await run.run();
  const given = run.kref('boot', 'o+5') ?? '';
  const [vatId] = run.state.vats.vatIds().slice(-1);
  run.state.queue.addControl('bringOutYourDead', vatId);
  run.state.keepBetweenCranks();
  await run.run();
  await ask(run, 'boot');
  t.is(run.state.vats.clist(vatId).findVref(given), undefined, 'it has let go');
  t.deepEqual(told, []);
  t.deepEqual(run.state.vats.require(vatId).parameterSlots, [given]);
  run.kernel.endVat(vatId, false, data());
  await run.run();
  t.false(run.state.vats.vatIds().includes(vatId));
  t.deepEqual(audit(run.state), []);
  t.deepEqual(run.faults, []);
});
