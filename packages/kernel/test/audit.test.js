// The audit finds damage: each test spoils one table and reads the report.

import test from 'ava';

import { audit } from '#kernel';
import { data, makeTestKernel, message, scriptedDevice } from '#testkit';
import { Pair } from '../tables/clist.js';

/** @typedef {ReturnType<typeof makeTestKernel>['state']} State */

/** A state with a bit of everything: kp41 unresolved, decided by boot; kp42 queued; kp43 settled. */
const makeState = async () => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank > 1) return;
        call('subscribe', 'p+5');
        call('send', 'o-50', message('m', ['p+5', 'o+1']), 'p+6');
        call('send', 'o-50', message('n', ['p+7']), null);
        call('resolve', [['p+7', false, data(['p+5', 'o+2'])]]);
      },
      zoe: () => {},
    },
    devices: { device: () => ({ kind: 'return', data: data() }) },
  });
  await run.run(1);
  return run.state;
};

/** @type {Record<string, [spoil: (state: State) => void, says: (string | RegExp)[]]>} */
const damages = {
  'a reference too many': [
    state => (state.promises.require('kp41').refCount += 1),
    ['references to kp41: 4, should be 3'],
  ],
  'a reference too few': [
    state => (state.promises.require('kp42').refCount -= 1),
    ['references to kp42: 1, should be 2'],
  ],
  'a promise that is deleted too early': [
    state => state.promises.table.delete('kp43'),
    [
      /^references to kp43, which is deleted: 0, should be 1/,
      /^kernelPromises: 4, should be 3/,
      /^kpFulfilledToData/,
    ],
  ],
  'a promise that nothing refers to': [
    state => void state.promises.add('v1'),
    [/^kp44, which nothing refers to, is due for deletion/, /^v1 holds kp44, which it decides/],
  ],
  'a c-list that is no bijection': [
    state => {
      const { byKref } = state.vats.clist('v1');
      byKref.set('ko22', { .../** @type {any} */ (byKref.get('ko22')), vref: 'o+9' });
    },
    [/^c-list of v1: the vref of ko22: "o\+9", should be "o\+1"/],
  ],
  'a c-list entry of one side only': [
    state => void state.vats.clist('v1').byVref.delete('o+2'),
    [/^ko23 is an export|^c-list of v1: krefs: 5, should be 6|clistEntries/],
  ],
  'an entry of the wrong type': [
    state => {
      const clist = state.vats.clist('v2');
      clist.insert(new Pair(clist, 'ko20', 'p-60', null));
    },
    [/^c-list of v2: type of p-60: "p", should be "o"/, /^clistEntries/],
  ],
  'an export without its owner': [
    state => state.owners.delete('ko22'),
    ['owner of ko22, export o+1 of v1: undefined, should be "v1"'],
  ],
  'an owner that does not export': [
    state => state.owners.set('ko21', 'v1'),
    [/^owner of ko21, export o\+0 of v2: "v1"/, /^ko21 is an export of v1: false/],
  ],
  'a decider that does not hold the promise': [
    state => (state.promises.require('kp41').decider = 'v2'),
    ['v2 holds kp41, which it decides: false, should be true'],
  ],
  'a vat that has ended and left things behind': [
    state => (state.vats.require('v2').state = 'ended'),
    [/^c-list entries of the ended vat v2: 2, should be 0/, /^vat v2, which owns ko21, is running/],
  ],
  'data on an unresolved promise': [
    state => (state.promises.require('kp41').data = data()),
    [/^data of kp41, which is unresolved/],
  ],
  'a settled promise with a decider': [
    state => (state.promises.require('kp43').decider = 'v1'),
    ['decider of kp43, which is settled: "v1", should be ""'],
  ],
  'a settled promise in the wrong state': [
    state => (state.promises.require('kp43').state = 'presence'),
    [
      /^state of kp43: "presence", should be "data"/,
      /^kpFulfilledToPresence: 0, should be 1/,
      /^kpFulfilledToData: 1, should be 0/,
    ],
  ],
  'a counter that lost one': [
    state => state.counters.dec(state.counters.find('runQueueLength')),
    ['runQueueLength: 1, should be 2'],
  ],
  'a counter below nothing': [
    state => state.counters.dec(state.counters.find('kpRejected')),
    ['kpRejected is a count: false, should be true', 'kpRejected: -1, should be 0'],
  ],
  'a counter that does not add up': [
    state => void (state.counters.numbers[state.counters.find('clistEntries') + 1] += 1),
    [/^clistEntries: up less down/],
  ],
  'a result that the host does not hold': [
    state => state.held.delete('kp40'),
    ['references to kp40: 2, should be 1'],
  ],
};

/**
 * @param {import('ava').ExecutionContext} t
 * @param {State} state
 * @param {typeof damages[string]} damage
 */
const findDamage = (t, state, [spoil, says]) => {
  t.deepEqual(audit(state), []);
  spoil(state);
  const found = audit(state);
  for (const line of says)
    t.true(
      found.some(text => (typeof line === 'string' ? text === line : line.test(text))),
      `${String(line)} is not among ${JSON.stringify(found)}`,
    );
  t.true(found.length <= says.length + 2, JSON.stringify(found));
};

for (const [what, damage] of Object.entries(damages)) {
  test(`the audit finds ${what}, and nothing else`, async t =>
    findDamage(t, await makeState(), damage));
}

/**
 * A state in which things come and go: v3 is ending, and has keys only; v4 has not started; v5 was made and forgotten;
 * the device d7 has a key, an object of boot's, and is woken at 1000 ns.
 */
const makeChangingState = async () => {
  /** @param {string} source */
  const vat = source => ({
    name: source,
    source,
    parameters: data(),
    pipelining: false,
    options: {},
  });
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call) => {
        call('callNow', 'd-70', 'change', data(['o+1']));
      },
      zoe: () => {},
    },
    devices: {
      device: scriptedDevice({
        methods: {
          change: powers => {
            const ending = powers.createVat(vat('ending'));
            powers.createVat(vat('waiting'));
            powers.endVat(powers.createVat(vat('gone')), false, data());
            powers.set('key', 'value');
            powers.set('ending', ending);
            powers.wakeAt(1000);
          },
        },
        input: powers => void powers.endVat(powers.get('ending') ?? '', false, data()),
      }),
    },
    sources: { ending: () => {}, waiting: () => {}, gone: () => {} },
  });
  await run.run(1);
  const { state } = run;
  for (let i = 0; i < 2000; i += 1) state.vatstore.set('v3', `key ${i}`, '');
  state.keepBetweenCranks();
  run.kernel.deviceInput('d7', 'end');
  return state;
};

/** @param {State} state @param {string} kind */
const itemOf = (state, kind) => {
  const item = [...state.queue.inOrder()].find(each => each.kind === kind);
  if (item === undefined) throw Error(`no ${kind} is queued`);
  return item;
};

/** @type {typeof damages} */
const changingDamages = {
  'a key of nobody': [
    state => state.vatstore.set('v99', 'key', ''),
    ['v99, which has keys, is known: false, should be true'],
  ],
  'a key of a vat that was forgotten': [
    state => state.vatstore.set('v5', 'key', ''),
    ['the ended vat v5 has keys: true, should be false', /^v5, which has keys, is known/],
  ],
  'a transcript of a vat that was forgotten': [
    state => state.stream('t.v5.0').byte(1),
    ['transcripts of the ended vat v5: 1, should be 0'],
  ],
  'a transcript of a vat that has not started': [
    state => state.stream('t.v4.0').byte(1),
    ['bytes in the transcript of v4, which has not started: 1, should be 0'],
  ],
  'an ended vat whose end nobody finishes': [
    state => state.vats.ending.delete('v3'),
    [/^row of v3, which has ended/, /^the ended vat v3 has keys/, /^vat v3 of clean-up item/],
  ],
  'a running vat that is ending': [
    state => state.vats.ending.set('v2', 'c-list'),
    ['state of v2, which is ending: "running", should be "ended"', /^clean-up items of v2: 0/],
  ],
  'a clean-up that is queued twice': [
    state => {
      state.queue.addControl('cleanUp', 'v3');
      state.keepBetweenCranks();
    },
    ['clean-up items of v3: 2, should be 1'],
  ],
  'a promise that a device holds': [
    state => state.vats.clist('d7').add('kp40', 'p-60'),
    ['kp40, held by device d7, is no promise: true, should be false', /^c-list of d7: p-60/],
  ],
  'an entry that a device was never given': [
    state => {
      const clist = state.vats.clist('d7');
      clist.insert(new Pair(clist, 'ko20', 'o-77', null));
    },
    ['c-list of d7: o-77 was allocated: false, should be true'],
  ],
  'a node of no device': [
    state => state.owners.set('kd30', 'd9'),
    [
      /^root of device d7: "d9", should be "d7"/,
      /^device d9 of kd30 is there/,
      /^kd30 is an export/,
      /^owner of kd30/,
    ],
  ],
  'a node that is not counted': [
    state => state.counters.dec(state.counters.find('kernelDevices')),
    ['kernelDevices: 0, should be 1'],
  ],
  'a wake-up of no device': [
    state => (itemOf(state, 'wake').target = 'd9'),
    [/^device d9 of wake-up \d+ is there: false/],
  ],
  'a wake-up between microsteps of another time': [
    state => (itemOf(state, 'wake').microstep = 1),
    [/^item \d+ is not too far ahead: false/],
  ],
  'a wake-up that cannot be cancelled': [
    state => state.queue.consume(itemOf(state, 'wake')),
    ['wake-ups that are found: "", should be "d7 at 1000"', /^runQueueLength/],
  ],
  'a start of a vat that never was': [
    state => (itemOf(state, 'start').vatId = 'v99'),
    [/^vat of item \d+ is known: false/],
  ],
  'an item of the wrong class': [
    state => (itemOf(state, 'start').class = 0),
    [/^class of item \d+: 0, should be 1/, /^runQueueLength/, /^item \d+ comes before/],
  ],
};

for (const [what, damage] of Object.entries(changingDamages)) {
  test(`the audit finds ${what}, and nothing else`, async t =>
    findDamage(t, await makeChangingState(), damage));
}
