// The cause of an item: a crank and its syscall, or an input.

import test from 'ava';

import { byInput, byKernel } from '#kernel';
import { makeMemoryStore } from '#store';
import { data, makeTestKernel, message, presence, scriptedDevice } from '#testkit';

/** @import { Item } from '#kernel' */
/** @import { React } from '#testkit' */

const places = new Map([
  [byKernel, 'kernel'],
  [byInput, 'input'],
]);

/** @param {Item} item */
const tell = ({ kind, message: sent, causeNumber, causePlace }) => {
  const what = sent === null ? kind : /** @type {string[]} */ (sent.methargs.body.match(/\w+/))[0];
  return `${what} by ${causeNumber} ${places.get(causePlace) ?? causePlace}`;
};

/** @type {React} */
const boot = (delivery, call, crank) => {
  if (crank !== 1) return;
  call('send', 'o-50', message('first'), 'p+5');
  call('subscribe', 'p+5');
  call('send', 'p+5', message('parked'), null);
  call('callNow', 'd-70', 'tell', data(['o-50']));
  call('send', 'o-50', message('last'), null);
};

/** @type {React} */
const alice = (delivery, call, crank) => {
  if (crank === 1 && delivery[0] === 'message' && delivery[3] !== null)
    call('resolve', [[delivery[3], false, presence('o+0')]]);
};

/** @param {'current' | '2020-09'} profile @param {boolean} isResumed */
const findCauses = async (profile, isResumed) => {
  /** @type {string[]} */
  const causes = [];
  const store = makeMemoryStore();
  const make = (/** @type {boolean} */ resume) =>
    makeTestKernel({
      profile,
      store,
      resume,
      vats: { boot, alice },
      devices: {
        teller: scriptedDevice({
          methods: {
            tell: (powers, { slots }) => {
              powers.sendOnly(slots[0], message('told'));
              return data();
            },
          },
        }),
      },
      crankObserver: { begins: ({ item }, number) => void causes.push(`${number}: ${tell(item)}`) },
    });
  let run = make(false);
  const runAll = async () => {
    while ((await run.run(1)) > 0) {
      run.kernel.commit();
      if (isResumed) run = make(true);
    }
  };
  await runAll();
  run.send('boot', 'asked');
  await runAll();
  return { causes, entries: [...store.entries('')] };
};

test("an item's cause is the syscall and crank that queued it, or the input; a parked message keeps that of its send", async t => {
  const { causes } = await findCauses('current', false);
  t.deepEqual(causes, [
    '1: bootstrap by 1 input',
    '2: first by 1 0',
    // Its device call is in between.
    '3: told by 1 4',
    '4: last by 1 5',
    '5: notify by 2 0',
    '6: parked by 1 2',
    '7: asked by 2 input',
  ]);
});

for (const profile of /** @type {const} */ (['current', '2020-09'])) {
  test(`${profile}: causes are the same in a run that is resumed at every crank`, async t => {
    const once = await findCauses(profile, false);
    t.true(once.causes.length > 5);
    t.deepEqual(await findCauses(profile, true), once);
  });
}

test("items that a vat's end queues are caused by the kernel, in the crank that was dropped", async t => {
  /** @type {string[]} */
  const causes = [];
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank !== 1) return;
        call('send', 'o-50', message('fail'), 'p+5');
        call('subscribe', 'p+5');
      },
      alice: (_delivery, call) => {
        call('send', 'o+0', message('lost'), null);
        return 'it fails';
      },
    },
    crankObserver: { begins: ({ item }, number) => void causes.push(`${number}: ${tell(item)}`) },
  });
  await run.run();
  t.deepEqual(causes, ['1: bootstrap by 1 input', '2: fail by 1 0', '3: notify by 2 kernel']);
});
