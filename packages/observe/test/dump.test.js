// Dumps and audits of states that hostile vats have made: lines stay short, and no character of a vat's moves the cursor.

import test from 'ava';
import { rawTables } from '#kernel';
import { makeTestKernel, message } from '#testkit';
import { describeTables } from '../dump-data.js';
import { dumpKernel, dumpRaw, findDifferences } from '../dump.js';

/** Escape sequences in both notations, marks of direction, line breaks. */
const evil = '\u001b[2J\u009b31m\u202egnp.exe\u2028\n\r\u0000\ufeff';

const unsafe =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

/** Promises of the vat: settled ones in a ring, and as many that are not. */
const many = 3_000;

const numbers = Array.from({ length: many }, (_, i) => i);

/** Vats with names of control characters, a ring of promises, large keys, long messages and many subscribers. */
const makeHostile = async () => {
  /** @type {import('#testkit').React} */
  const boot = (_delivery, call, crank) => {
    if (crank > 1) return;
    const ring = numbers.map(i => `p+${1_000 + i}`);
    call('send', 'o-50', { body: `#${JSON.stringify([evil, []])}`, slots: ring }, 'p+5');
    call(
      'resolve',
      ring.map((vref, i) => [vref, false, { body: `#"&0"${evil}`, slots: [ring[(i + 1) % many]] }]),
    );
    call('vatstoreSet', `key${evil}`, evil);
    call('vatstoreSet', 'k'.repeat(200), 'y'.repeat(100_000));
    for (const i of numbers) {
      call('send', 'o-50', message(`m${i}`), `p+${9_000 + i}`);
      call('subscribe', `p+${9_000 + i}`);
    }
  };
  const run = makeTestKernel({ vats: { [`boot${evil}`]: boot, [`alice${evil}`]: () => {} } });
  await run.run(1);
  return run;
};

test('a dump of hostile vats has short lines without control characters', async t => {
  const run = await makeHostile();
  t.deepEqual(run.faults, []);
  const lines = dumpKernel(run.kernel).split('\n');
  t.true(lines.length > 3 * many, 'all of it is there');
  t.deepEqual(
    lines.filter(line => unsafe.test(line)),
    [],
  );
  t.true(Math.max(...lines.map(({ length }) => length)) < 400);
  t.true(
    lines.some(line => line.includes(`and ${many - 20} more`)),
    'what is left out is counted',
  );
});

test('a raw dump of hostile vats has no control characters, and is the tables', async t => {
  const run = await makeHostile();
  run.kernel.commit();
  const lines = dumpRaw(run.kernel).split('\n').slice(0, -1);
  t.deepEqual(
    lines.filter(line => unsafe.test(line)),
    [],
  );
  const values = lines.map(line => JSON.parse(line.slice(line.indexOf('\t') + 1)));
  t.deepEqual(
    values,
    rawTables(run.state).map(([, value]) => value),
  );
});

test('an audit of what hostile vats have made finds nothing, and as data it is whole', async t => {
  const run = await makeHostile();
  t.is(findDifferences(run.kernel), undefined);
  const { promises, queue } = describeTables(run.kernel);
  t.is(promises.filter(({ state }) => state === 'data').length, many);
  t.is(queue.length, many + 1);
});
