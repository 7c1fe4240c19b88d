// Vats are given functions with the names that SwingSet's have, since vats print them.

import test from 'ava';
import { runVats } from './run-vats.js';

const namesOf = `
  import { E } from '@endo/eventual-send';
  const namesOf = record => Object.keys(record).filter(key => record[key].name !== key);
`;

test('functions of VatData, E and HandledPromise, the exits, D and harden have their names', async t => {
  const run = await runVats({
    bootstrap: `${namesOf}
      import { Far } from '@endo/far';
      export const buildRootObject = ({ D, exitVat, exitVatWithFailure }) => Far('bootstrap', {
        bootstrap: () => [
          ...namesOf(VatData), ...namesOf(E), ...namesOf({ D, exitVat, exitVatWithFailure, harden }),
          HandledPromise.resolve.name,
        ],
      });`,
  });
  t.is(run.failure, undefined);
  t.is(run.result, 'data #["resolve"]');
});

test('2020-09: the exits and D have their names', async t => {
  const run = await runVats(
    {
      bootstrap: `${namesOf}
        export const buildRootObject = ({ D, exitVat, exitVatWithFailure }) => harden({
          bootstrap: () => namesOf({ D, exitVat, exitVatWithFailure }),
        });`,
    },
    { profile: '2020-09' },
  );
  t.is(run.failure, undefined);
  t.is(run.result, 'data []');
});
