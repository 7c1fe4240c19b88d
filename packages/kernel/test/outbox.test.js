// A block may hand out any number of values.

import test from 'ava';

import { Outbox } from '../record/outbox.js';
import { Figures } from '../tables/figures.js';

test('a block in which a vat has devices hand out very many values is committed', t => {
  const outbox = new Outbox(new Figures(), true);
  // More than a call may have arguments.
  const count = 150_000;
  for (let i = 0; i < count; i += 1) outbox.add('d1', 'value');
  outbox.keep();
  /** @type {Map<string, any>} */
  const puts = new Map();
  outbox.collect(puts);
  t.is(puts.size, count);
  t.is(outbox.take().length, count);
});
