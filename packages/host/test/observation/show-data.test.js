// Capdata as people read it.

import test from 'ava';
import { showData, showResult } from '#host/explain/show-data.js';

/** @type {[title: string, body: string, slots: string[], shown: string][]} */
const cases = [
  ['undefined', '#"#undefined"', [], 'undefined'],
  ['a number', '#7', [], '7'],
  ['a string', '#"ann"', [], "'ann'"],
  ['a string with a sign of smallcaps', '#"!#undefined"', [], "'#undefined'"],
  ['a bigint', '#"+5"', [], '5n'],
  ['NaN', '#"#NaN"', [], 'NaN'],
  [
    'a record',
    '#{"ann":["+5","$0.Alleged: purse","&1"]}',
    ['ko20', 'kp40'],
    '{ ann: [ 5n, [purse ko20], [promise kp40] ] }',
  ],
  ['an error', '#{"#error":"!#no","errorId":"error:x#1","name":"TypeError"}', [], 'TypeError: #no'],
  ['undefined of 2020', '{"@qclass":"undefined"}', [], 'undefined'],
  ['a slot of 2020', '[{"@qclass":"slot","iface":"Alleged: x","index":0}]', ['ko7'], '[ [x ko7] ]'],
  ['an error of 2020', '{"@qclass":"error","name":"Error","message":"no"}', [], 'Error: no'],
  ['a slot that is not there', '#"$3"', [], '[object ?]'],
  ['what is no JSON', 'x', [], 'x'],
  ['an empty body', '', [], ''],
];

for (const [title, body, slots, shown] of cases)
  test(`${title} is shown as ${shown}`, t => {
    t.is(showData({ body, slots }), shown);
  });

test('the shown text of a deep or long body is short', t => {
  t.true(
    showData({ body: `#${'['.repeat(100_000)}${']'.repeat(100_000)}`, slots: [] }).length < 310,
  );
  t.true(showData({ body: `#"${'x'.repeat(100_000)}"`, slots: [] }).length < 310);
  // It is not read: a number of so many digits would take seconds.
  t.true(showData({ body: `#"+${'9'.repeat(20_000_000)}"`, slots: [] }).startsWith('#"+999'));
});

test('a rejected result is shown as such, and a result without capdata is unchanged', t => {
  t.is(showResult('fulfilled: {"body":"#\\"#undefined\\"","slots":[]}'), 'undefined');
  t.is(
    showResult('rejected: {"body":"#{\\"#error\\":\\"no\\",\\"name\\":\\"Error\\"}","slots":[]}'),
    'rejected: Error: no',
  );
  for (const result of ['still pending', 'fulfilled: {', 'fulfilled: {"body"'])
    t.is(showResult(result), result);
});
