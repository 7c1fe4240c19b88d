import test from 'ava';
import fc from 'fast-check';

import { findSoleSlot, insistCapData, isCapData } from '../index.js';

test('a body that is one reference has that slot, in both notations', t => {
  for (const body of [
    ...['#"$0"', '#"$0.Alleged: thing"', '#"$0."', '#"&0"', '#"&0.x"'],
    ...['{"@qclass":"slot","index":0}', '{"@qclass":"slot","iface":"Alleged: thing","index":0}'],
  ]) {
    t.is(findSoleSlot({ body, slots: ['ko20'] }), 'ko20', body);
  }
});

test('a body that is more, or less, than one reference has none', t => {
  for (const body of [
    ...[
      '#["$0"]',
      '#{"a":"$0"}',
      '#"!$0"',
      '#"text"',
      '#"#undefined"',
      '#1',
      '',
      '#',
      '#"$',
      '#"$0',
    ],
    ...['#"$1"', '#"$00"', '#"$01.x"', '"$0"', '#"%0"'],
    ...['[{"@qclass":"slot","index":0}]', '{"@qclass":"undefined"}', '"text"', '{"slot":0}'],
    // A record whose name is like the mark of a slot.
    ...['{"@qclass":"hilbert","original":1}', '{"a":{"@qclass":"slot","index":0}}'],
  ]) {
    t.is(findSoleSlot({ body, slots: ['ko20'] }), undefined, body);
  }
});

test('without exactly one slot there is no sole slot', t => {
  fc.assert(
    fc.property(
      fc.constantFrom('#"$0"', '{"@qclass":"slot","index":0}'),
      fc.array(fc.constantFrom('ko20', 'kp40')).filter(slots => slots.length !== 1),
      (body, slots) => t.is(findSoleSlot({ body, slots }), undefined),
    ),
  );
});

test('capdata is a body and slots of text', t => {
  t.true(isCapData({ body: '', slots: [] }));
  t.true(isCapData({ body: '#"$0"', slots: ['o+1'] }));
  for (const value of [
    ...[undefined, null, 1, 'text', {}, [], { body: '' }, { slots: [] }, { body: 1, slots: [] }],
    ...[
      { body: '', slots: [1] },
      { body: '', slots: 'o+1' },
      { body: '', slots: [undefined] },
    ],
  ]) {
    t.false(isCapData(value));
    t.throws(() => insistCapData(value, 'the answer'), {
      message: `the answer must be {body: string, slots: string[]}, got "${typeof value}"`,
    });
  }
});
