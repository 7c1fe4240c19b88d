// Vats under `2020-09` behave as vats of the kernel of 2020-09-30. What the tests expect is what that kernel printed for
// the same programs.

import '#testkit/lockdown.js';
import test from 'ava';
import { run, said } from './dynamic-vats.js';

/**
 * @param {string} body  of bootstrap
 * @param {string} worker
 */
const runWith = async (body, worker) => {
  const ran = await run(body, '2020-09', { bundles: { worker } });
  return { ...ran, lines: said(ran) };
};

test('a message without a name to another vat ends a vat of 2020', async t => {
  const { failure, lines } = await runWith(
    `
      const { root, adminNode } = await make();
      tell('end', E(adminNode).done());
      tell('call', E(root).call(self));
      tell('later', E(root).call(self));
    `,
    `
      import { E } from '@agoric/eventual-send';
      export const buildRootObject = () => harden({
        call(other) {
          E(other)(1).catch(error => console.log('it failed with ' + error));
          return 'called';
        },
      });
    `,
  );
  t.is(failure, undefined);
  const thrown = 'it failed with Error: syscall suffered error, shutdown commencing';
  t.true(lines.some(line => line.endsWith(thrown)));
  t.deepEqual(lines.slice(-3).sort(), [
    'call failed with Error: vat terminated',
    'end failed with Error: clist violation: prepare to die',
    'later failed with Error: vat terminated',
  ]);
});

test('a vat of 2020 has no clock, and is given an invalid date', async t => {
  const { failure, lines } = await runWith(
    `
      const { root } = await make();
      console.log(await E(root).tell());
    `,
    `
      export const buildRootObject = () => harden({
        tell: () =>
          [Date.now(), new Date(), Date(), new Date(0).toISOString(), new Date(5) instanceof Date,
            Date.prototype.constructor === Date, new Date(0).constructor.now(),
            new Compartment().evaluate('new Date(0).constructor === Date')].join(' '),
      });
    `,
  );
  t.is(failure, undefined);
  t.deepEqual(lines, ['NaN Invalid Date Invalid Date 1970-01-01T00:00:00.000Z true true NaN true']);
});

const roots = [
  ['({ m: () => 1 })', 'Error: cannot serialize non-frozen objects like [object Object]'],
  [
    'Promise.resolve(harden({ m: () => 1 }))',
    'Error: cannot serialize non-frozen objects like [object Promise]',
  ],
  [
    'harden({ a: 1 })',
    'Error: cannot serialize objects with non-methods like the .a in [object Object]',
  ],
  ['undefined', 'Error: cannot serialize non-objects like undefined'],
];

for (const [root, problem] of roots) {
  test(`a vat of 2020 whose root is ${root} does not start`, async t => {
    const { lines } = await runWith(
      `tell('it', make());`,
      `export const buildRootObject = () => ${root};`,
    );
    t.deepEqual(lines, [`it failed with Error: Vat Creation Error: ${problem}`]);
  });
}

test('a hardened promise is a root of 2020, and takes messages for what it becomes', async t => {
  const { lines } = await runWith(
    `
      const { root } = await make();
      tell('it', E(root).m());
    `,
    `
      const later = Promise.resolve().then(() => harden({ m: () => 'taken' }));
      export const buildRootObject = () => harden(later);
    `,
  );
  t.deepEqual(lines, ['it gave taken']);
});

test('a vat of 2020 cannot exit while it is built', async t => {
  const { lines } = await runWith(
    `tell('it', make());`,
    `
      export const buildRootObject = ({ exitVat }) => {
        exitVat('early');
        return harden({});
      };
    `,
  );
  t.deepEqual(lines, [
    'it failed with Error: Vat Creation Error: TypeError: vatSyscallHandler is not a function',
  ]);
});

test('what a vat of 2020 sends is read when the message leaves', async t => {
  const { lines } = await runWith(
    `
      const { root } = await make();
      tell('it', E(root).run(self));
    `,
    `
      import { E } from '@agoric/eventual-send';
      export const buildRootObject = () => harden({
        async run() {
          const list = [1];
          const own = { add: l => { l.push(3); return l; } };
          const added = E(own).add(list);
          list.push(2);
          (await added).push(4);
          return list.join();
        },
      });
    `,
  );
  t.deepEqual(lines, ['it gave 1,2,3,4']);
});
