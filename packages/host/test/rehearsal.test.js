import '#testkit/lockdown.js';
import test from 'ava';
import { audit } from '#kernel';
import { sha256 } from '#testkit';
import { inMacrotask } from '#host/engine/macrotask.js';
import { cranksBefore, cranksBetween, objectsBefore, rehearse } from '#host/engine/rehearsal.js';
import { probeDrain } from '#host/engine/drain-jobs.js';
import { makeCranks } from '#host/simulation/cranks.js';

const drain = await probeDrain();

const rehearseNow = () => inMacrotask(() => rehearse({ sha256, drain }));

test.serial(
  'a rehearsal does all that a collection of objects does, and breaks no rule',
  async t => {
    const { kernel, faults } = await rehearseNow();
    t.deepEqual(faults, []);
    t.deepEqual(audit(kernel.state), []);
    t.true(kernel.isQuiet);
    const counters = kernel.counters.toRecord();
    for (const name of [
      'dispatchBringOutYourDead',
      'syscallDropImports',
      'syscallRetireImports',
      'syscallRetireExports',
      'dispatchDropExports',
      'dispatchRetireExports',
      'dispatchRetireImports',
      'kpFulfilledToPresence',
      'kpRejected',
    ])
      t.true((counters[name].up ?? counters[name].value) > 0, name);
    // Some are asked when they have nothing to let go of.
    t.true(counters.dispatchBringOutYourDead.value > counters.syscallDropImports.value);
  },
);

test.serial('rehearsals are equal', async t => {
  const [one, other] = [await rehearseNow(), await rehearseNow()];
  t.is(one.kernel.activityHash(), other.kernel.activityHash());
});

test.serial(
  'a run rehearses once, between pumps, after some cranks, when it has objects',
  async t => {
    const made = await rehearseNow();
    const numbers = [objectsBefore - 1];
    const counters = { find: () => 0, numbers };
    /** @type {typeof made.kernel} */
    const kernel = Object.create(made.kernel, { counters: { value: counters } });
    /** @type {number[]} */
    const rehearsed = [];
    const { runCranks } = makeCranks({
      ...{ kernel, drain, placer: undefined, explain: error => error },
      ...{ insistOpen: () => {}, giveHandedOut: () => {}, beginTime: () => {} },
      rehearse: () => void rehearsed.push(kernel.cranks.all),
    });
    const before = kernel.cranks.all;
    const dealer = kernel.findVat('dealer') ?? '';
    const ask = async () => {
      for (let i = 0; i < 10; i += 1)
        kernel.release(kernel.queueToVatRoot(dealer, { body: '#["rest",[]]', slots: [] }));
      await runCranks();
    };
    /** @param {number} cranks @returns {Promise<number>} cranks when so many have run */
    const runTo = async cranks => {
      while (kernel.cranks.all - before < cranks) await ask();
      return kernel.cranks.all;
    };

    const looked = await runTo(cranksBefore);
    await ask();
    numbers[0] = objectsBefore;
    await runTo(looked - before + cranksBetween - 20);
    t.deepEqual(rehearsed, [], 'it had too few objects when it was looked at');
    const due = await runTo(looked - before + cranksBetween);
    for (let i = 0; i < 100; i += 1) await ask();
    t.deepEqual(rehearsed, [due]);
  },
);
