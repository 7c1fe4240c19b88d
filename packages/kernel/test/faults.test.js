// A vat that breaks a rule ends alone, and its crank leaves no trace.

import test from 'ava';

import { audit } from '#kernel';
import { data, dumpTables, makeTestKernel, message, presence } from '#testkit';

/** @typedef {import('#testkit').React} React */
/** @typedef {import('#testkit').Call} Call */
/** @typedef {import('#model').Syscall} Syscall */

const device = () => ({ kind: /** @type {const} */ ('return'), data: data(['d+0']) });

/**
 * Every rule, with the syscalls that break it (the last of them) and what is said. Boot holds: its root o+0, the
 * vat alice o-50, the device d-70, its promise p+5 to decide, and p+6, alice's to decide.
 *
 * @type {Record<string, { syscalls: Syscall[], says: string }>}
 */
const offences = {
  'names an object that it does not hold': {
    syscalls: [['send', 'o-59', message('m'), null]],
    says: `"o-59" is not in the vat's c-list`,
  },
  'names a promise that it does not hold': {
    syscalls: [['subscribe', 'p-99']],
    says: `"p-99" is not in the vat's c-list`,
  },
  'names a reference that it does not hold in an argument': {
    syscalls: [['send', 'o-50', message('m', ['o+9', 'o-59']), 'p+9']],
    says: `"o-59" is not in the vat's c-list`,
  },
  'names a reference that it does not hold in data that it settles with': {
    syscalls: [['resolve', [['p+5', false, data(['p-99'])]]]],
    says: `"p-99" is not in the vat's c-list`,
  },
  'writes what is no reference': {
    syscalls: [['send', 'ko20', message('m'), null]],
    says: '"ko20" is not a vref; a vref is like "o+1" or "p-60"',
  },
  'exports a device': {
    syscalls: [['send', 'o-50', message('m', ['d+1']), null]],
    says: 'a vat cannot export the device "d+1"',
  },
  'sends to a device': {
    syscalls: [['send', 'd-70', message('m'), null]],
    says: 'messages cannot be sent to the device "d-70"',
  },
  'takes an object for the result of a message': {
    syscalls: [['send', 'o-50', message('m'), 'o+9']],
    says: '"o+9" is not a promise',
  },
  'takes a promise for the result that it does not decide': {
    syscalls: [['send', 'o-50', message('m'), 'p+6']],
    says: `promise "p+6" is not this vat's to decide`,
  },
  'takes one promise for the results of two messages': {
    syscalls: [
      ['send', 'o-50', message('m'), 'p+9'],
      ['send', 'o-50', message('m'), 'p+9'],
    ],
    says: `promise "p+9" is not this vat's to decide`,
  },
  'settles a promise that it does not decide': {
    syscalls: [['resolve', [['p+6', false, data()]]]],
    says: `promise "p+6" is not this vat's to decide`,
  },
  'settles an object': {
    syscalls: [['resolve', [['o-50', false, data()]]]],
    says: '"o-50" is not a promise',
  },
  'settles a promise twice in one resolve': {
    syscalls: [
      [
        'resolve',
        [
          ['p+5', false, data()],
          ['p+5', true, data()],
        ],
      ],
    ],
    says: 'promise "p+5" is settled twice in one resolve',
  },
  'subscribes to an object': {
    syscalls: [['subscribe', 'o-50']],
    says: 'cannot subscribe to "o-50", which is not a promise',
  },
  'retires an object that it does not hold': {
    syscalls: [['retireImports', ['o-59']]],
    says: 'cannot retire "o-59", which is not an import of the vat',
  },
  'retires its own object as an import': {
    syscalls: [['retireImports', ['o+0']]],
    says: 'cannot retire "o+0", which is not an import of the vat',
  },
  'retires a promise': {
    syscalls: [['retireImports', ['p+6']]],
    says: 'cannot retire "p+6", which is not an import of the vat',
  },
  'calls a device that it does not hold': {
    syscalls: [['callNow', 'd-71', 'm', data()]],
    says: `"d-71" is not a device of the vat's c-list`,
  },
  'calls an object as a device': {
    syscalls: [['callNow', 'o-50', 'm', data()]],
    says: `"o-50" is not a device of the vat's c-list`,
  },
  'passes a promise to a device': {
    syscalls: [['callNow', 'd-70', 'm', data(['p+6'])]],
    says: 'the arguments of a device call cannot hold promises',
  },
  'breaks a rule before a device call': {
    syscalls: [
      ['subscribe', 'o-50'],
      ['callNow', 'd-70', 'm', data()],
    ],
    says: 'cannot subscribe to "o-50", which is not a promise',
  },
  'breaks a rule after a device call': {
    syscalls: [
      ['callNow', 'd-70', 'm', data()],
      ['subscribe', 'o-50'],
    ],
    says: 'cannot subscribe to "o-50", which is not a promise',
  },
  'breaks a rule after it has asked to exit': {
    syscalls: [
      ['exit', false, data()],
      ['subscribe', 'o-50'],
    ],
    says: 'cannot subscribe to "o-50", which is not a promise',
  },
  'writes under a key that no store can hold': {
    syscalls: [['vatstoreSet', 'k'.repeat(331), 'value']],
    says: `a key of the vat's store has 331 characters; at most 330 are allowed`,
  },
  'writes under a key with a lone surrogate': {
    syscalls: [['vatstoreDelete', 'k\ud800']],
    says: `a key of the vat's store has a lone surrogate`,
  },
  'writes a value with a lone surrogate': {
    syscalls: [['vatstoreSet', 'k', '\udc00']],
    says: `a value of the vat's store has a lone surrogate`,
  },
  'asks for a key that no store can hold': {
    syscalls: [
      ['subscribe', 'p+6'],
      ['vatstoreGet', 'k'.repeat(400)],
    ],
    says: `a key of the vat's store has 400 characters; at most 330 are allowed`,
  },
  'asks for the key after one with a lone surrogate': {
    syscalls: [['vatstoreGetNextKey', '\ud800']],
    says: `a key of the vat's store has a lone surrogate`,
  },
  'makes a syscall that there is not': {
    syscalls: [/** @type {any} */ (['reboot'])],
    says: 'no such syscall: "reboot"',
  },
  'drops what is not an import': {
    syscalls: [['dropImports', ['o+0']]],
    says: 'cannot drop "o+0", which is not an import of the vat',
  },
  'drops an import twice': {
    syscalls: [
      ['dropImports', ['o-50']],
      ['dropImports', ['o-50']],
    ],
    says: 'cannot drop "o-50", which was dropped before',
  },
  'uses an import that it has dropped': {
    syscalls: [
      ['dropImports', ['o-50']],
      ['send', 'o-50', message('m'), null],
    ],
    says: '"o-50" was dropped by the vat, which cannot use it any more',
  },
  'retires an export that others reach': {
    syscalls: [['retireExports', ['o+0']]],
    says: 'cannot retire "o+0", which others still reach',
  },
};

/** Syscalls of boot before its offence is reached: everything of them must be undone. @type {Syscall[]} */
const innocent = [
  ['send', 'o-50', message('lost', ['o+1', 'p+11']), 'p+12'],
  ['subscribe', 'p+12'],
  ['vatstoreSet', 'key', 'lost'],
  ['resolve', [['p+13', false, presence('o+2')]]],
];

/**
 * @param {'current' | '2020-09'} profile
 * @param {Syscall[]} syscalls
 */
const makeOffender = (profile, syscalls) => {
  /** @type {string[]} */
  const reports = [];
  const run = makeTestKernel({
    profile,
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank === 1) {
          call('send', 'o-50', message('decide'), 'p+6');
          call('send', 'o-50', message('watch', ['p+5']), null);
          call('vatstoreSet', 'key', 'kept');
        } else if (crank === 2) {
          for (const syscall of [...innocent, ...syscalls]) call(...syscall);
        }
      },
      alice: (delivery, call) => {
        if (delivery[0] === 'message' && delivery[2].slots.length > 0)
          call('subscribe', delivery[2].slots[0]);
        if (delivery[0] === 'notify') reports.push(JSON.stringify(delivery[1][0].slice(1)));
      },
      vatAdmin: delivery => {
        if (delivery[0] === 'message') reports.push(delivery[2].body);
      },
    },
    devices: { device },
  });
  return { run, reports };
};

for (const [what, { syscalls, says }] of Object.entries(offences)) {
  test(`a vat that ${what} is ended, alone`, async t => {
    for (const profile of /** @type {const} */ (['current', '2020-09'])) {
      const { run, reports } = makeOffender(profile, syscalls);
      await run.run();
      const offence = run.send('boot', 'offend');
      await run.run();
      t.deepEqual(run.faults, [['v1', says]]);
      t.deepEqual(
        run.kernel.vats().map(({ name, state }) => `${name} ${state}`),
        ['boot ended', 'alice running', 'vatAdmin running'],
      );
      const error =
        profile === 'current'
          ? // In smallcaps a text that begins with a quotation mark has an exclamation mark before it.
            { '#error': says.replace(/^"/, '!"'), name: 'Error' }
          : { '@qclass': 'error', name: 'Error', message: says };
      const dead =
        profile === 'current'
          ? '#{"#error":"vat terminated","name":"Error"}'
          : '{"@qclass":"error","name":"Error","message":"vat terminated"}';
      const start = profile === 'current' ? '#' : '';
      t.deepEqual(reports, [
        // Alice waits for p+5; what boot's last crank sent her never came.
        JSON.stringify([true, { body: dead, slots: [] }]),
        `${start}["vatTerminated",["v1",true,${JSON.stringify(error)}]]`,
      ]);
      t.deepEqual(run.kernel.promiseStatus(offence), {
        state: 'rejected',
        data: { body: dead, slots: [] },
      });
      t.is(run.state.vatstore.nextKey('v1', ''), undefined);
      t.is(
        run.kernel.counters.toRecord().kernelObjects.up,
        3,
        'no object of the crank was counted',
      );
      t.deepEqual(audit(run.state), []);
    }
  });
}

test('a settled promise cannot be settled again', async t => {
  // In 2020-09 a promise with a promise in its data stays in the c-list of its resolver.
  const run = makeTestKernel({
    profile: '2020-09',
    vats: {
      boot: (_delivery, call) => {
        call('resolve', [['p+5', false, data(['p+6'])]]);
        call('resolve', [['p+5', false, data()]]);
      },
    },
  });
  await run.run();
  t.deepEqual(run.faults, [['v1', 'promise "p+5" is settled already']]);
});

test('in current, a settled promise is forgotten, and its name may be used for another', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call, crank) => {
        if (crank > 2) return;
        call('resolve', [['p+5', false, data()]]);
        call('resolve', [['p+5', false, data()]]);
      },
    },
  });
  await run.run();
  t.deepEqual(run.faults, []);
  t.is(run.kernel.counters.toRecord().kernelPromises.up, 3, "bootstrap's result and two");
});

test('a fault reported by a transport ends the vat, whatever its syscalls', async t => {
  const run = makeTestKernel({
    vats: {
      boot: (_delivery, call) => {
        call('send', 'o+0', message('m'), null);
        return 'it ran out of memory';
      },
    },
  });
  t.is(await run.run(), 1);
  t.deepEqual(run.faults, [['v1', 'it ran out of memory']]);
});

test('a dropped crank changes the tables only by the end of its vat', async t => {
  const offend = (/** @type {Syscall[]} */ syscalls) => makeOffender('current', syscalls).run;
  const bare = offend([['subscribe', 'o+0']]);
  const busy = offend([
    ['send', 'o-50', message('lost', ['o+30', 'p+31']), 'p+32'],
    ['resolve', [['p+5', false, data(['p+5', 'p+6'])]]],
    ['callNow', 'd-70', 'm', data(['o+20', 'o-50'])],
    ['retireImports', ['o-50']],
    ['vatstoreDelete', 'key'],
    ['exit', false, data(['o+21', 'p+21'])],
    ['subscribe', 'o+0'],
  ]);
  for (const run of [bare, busy]) {
    await run.run();
    run.send('boot', 'offend');
    await run.run();
    t.is(run.faults.length, 1);
  }
  t.deepEqual(dumpTables(busy.state), dumpTables(bare.state));
});
