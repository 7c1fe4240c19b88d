// The table of kinds: its rows and the README's are the same, and names find their rows.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { deliveryKinds, findDeliveryKind, findSyscallKind, syscallKinds } from '#model';

test('the README lists the kinds with their bytes, fields and counters', t => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const cells = readme
    .slice(readme.indexOf('## Kinds'))
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
    .map(line =>
      line
        .split('|')
        .map(cell => cell.trim().replaceAll('`', ''))
        .slice(1, -1),
    );
  const rowsOf = (/** @type {string} */ what, /** @type {typeof syscallKinds} */ kinds) =>
    kinds.map(({ byte, name, fields, counter }) => [
      what,
      String(byte),
      name,
      fields.join(', '),
      counter,
    ]);
  t.deepEqual(cells, [...rowsOf('delivery', deliveryKinds), ...rowsOf('syscall', syscallKinds)]);
});

test('a kind is found by its name, and its byte is its place', t => {
  for (const [byte, kind] of syscallKinds.entries()) {
    t.is(findSyscallKind(kind.name), kind);
    t.is(kind.byte, byte);
  }
  for (const [byte, kind] of deliveryKinds.entries()) {
    t.is(findDeliveryKind(kind.name), kind);
    t.is(kind.byte, byte);
  }
  t.is(findSyscallKind('constructor'), undefined);
  t.is(findDeliveryKind('send'), undefined);
});
