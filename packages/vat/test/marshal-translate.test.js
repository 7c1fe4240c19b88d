import '#testkit/lockdown.js';

// First: the library must find a `HandledPromise` while it loads.
import '../marshal/index.js';
import { makeMarshal } from '@endo/marshal';
import fc from 'fast-check';
import test from 'ava';
import { makeArbPassable } from '#testkit/passable.js';
import { joinMessage, splitMessage, translate } from '../marshal/translate.js';

/** Slots say whether they are promises, as vrefs do. @param {'smallcaps' | 'capdata'} serializeBodyFormat */
const makeTable = serializeBodyFormat => {
  /** @type {unknown[]} */
  const values = [];
  const slotOf = (/** @type {unknown} */ value) => {
    if (!values.includes(value)) values.push(value);
    return `${value instanceof Promise ? 'p' : 'o'}+${values.indexOf(value)}`;
  };
  const valOf = (/** @type {string} */ slot) => values[Number(slot.slice(2))];
  return makeMarshal(slotOf, valOf, { serializeBodyFormat, errorTagging: 'off' });
};

test("a body of smallcaps becomes one of the library's older notation that means the same, and back", t => {
  fc.assert(
    fc.property(makeArbPassable(), value => {
      const { toCapData, fromCapData } = makeTable('smallcaps');
      const data = toCapData(/** @type {any} */ (value));
      const older = translate(data, 'qclass');
      t.false(older.body.startsWith('#'));
      t.is(toCapData(fromCapData(older)).body, data.body);
      const back = translate(older, 'smallcaps');
      t.is(toCapData(fromCapData(back)).body, data.body);
    }),
  );
});

test('a record with the one field "@qclass" is written without a rest', t => {
  const { toCapData, fromCapData } = makeTable('smallcaps');
  for (const value of [
    { '@qclass': 0 },
    { '@qclass': { '@qclass': 'x' } },
    { '@qclass': 0, a: 1 },
  ]) {
    const data = toCapData(harden(value));
    t.is(toCapData(fromCapData(translate(data, 'qclass'))).body, data.body);
  }
});

test('a body that the library wrote in its older notation is read in smallcaps', t => {
  fc.assert(
    fc.property(makeArbPassable(), value => {
      const { toCapData, fromCapData } = makeTable('capdata');
      const data = toCapData(/** @type {any} */ (value));
      const smallcaps = translate(data, 'smallcaps');
      t.true(smallcaps.body.startsWith('#'));
      t.is(toCapData(fromCapData(smallcaps)).body, data.body);
    }),
  );
});

test('a repeated object of 2020 is written out', t => {
  const body =
    '[{"a":[1]},{"@qclass":"ibid","index":2},{"@qclass":"slot","index":0},{"@qclass":"ibid","index":3}]';
  t.is(translate({ body, slots: ['o-50'] }, 'smallcaps').body, '#[{"a":[1]},[1],"$0","$0"]');
});

test("a body that is in nobody's notation stays as it is", t => {
  for (const body of ['', 'args', '[', '{"@qclass":"bigint"}', '{"@qclass":"slot","index":3}']) {
    t.is(translate({ body, slots: [] }, 'smallcaps').body, body);
  }
  for (const body of ['#', '#[', '#"#nothing"', '#{"#x":1}', '#"(x"']) {
    t.is(translate({ body, slots: [] }, 'qclass').body, body);
  }
  // A cycle has no form in smallcaps.
  const cycle = '[{"@qclass":"ibid","index":0}]';
  t.is(translate({ body: cycle, slots: [] }, 'smallcaps').body, cycle);
});

test('a message is split into method and arguments, and joined again', t => {
  const data = { body: '["it\\"s",[1,{"@qclass":"slot","index":0}]]', slots: ['o-50'] };
  const { method, args } = splitMessage(data);
  t.is(method, 'it"s');
  t.deepEqual(args, { body: '[1,{"@qclass":"slot","index":0}]', slots: ['o-50'] });
  t.deepEqual(joinMessage(method, args), data);
  const call = joinMessage(undefined, { body: '[]', slots: [] });
  t.deepEqual(splitMessage(call), { method: undefined, args: { body: '[]', slots: [] } });
  t.deepEqual(splitMessage(joinMessage('m', { body: 'opaque', slots: [] })).args.body, 'opaque');
  t.throws(() => splitMessage({ body: '[3,[]]', slots: [] }), { instanceOf: TypeError });
});

test('repeated objects are counted from the arguments where these stand alone', t => {
  const args = { body: '[[1],{"@qclass":"ibid","index":1}]', slots: [] };
  const { body } = joinMessage('m', args);
  t.is(body, '["m",[[1],{"@qclass":"ibid","index":2}]]');
  t.is(splitMessage({ body, slots: [] }).args.body, args.body);
});

test('a method with a name of ten million characters is taken out of its message', t => {
  const name = 'x'.repeat(10_000_000);
  t.is(splitMessage({ body: `["${name}",[]]`, slots: [] }).method, name);
});
