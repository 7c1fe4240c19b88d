// Bodies of both notations that are nearly right, from a corpus that is kept: each is read or refused, what is read is
// hardened and passes, and what is written of it is read as the same again. A few thousand in the short test;
// SWINGSET_RUNNER_FUZZ_ROUNDS=10000000 takes hours, SWINGSET_RUNNER_FUZZ_SEED another sequence.

import '#testkit/lockdown.js';
import test from 'ava';
import { fuzzing, makeMutations, makeRandom } from '#testkit';
import { Far, makeQclassMarshal, makeSmallcapsMarshal, passStyleOf } from '../marshal/index.js';
import { isTooDeep } from '../marshal/depth.js';
import { notationOf, splitMessage, translate } from '../marshal/translate.js';

const smallcapsCorpus = [
  '#["method",[1,"a",true,null,-0.5]]',
  '#{"a":{"b":["#undefined","#NaN","#Infinity","#-Infinity"]},"!#c":"!$d"}',
  '#["+123","-456","%@@asyncIterator","%name","!text"]',
  '#["$0.Alleged: thing","$0","&1",{"c":"$2.Presence o-3"}]',
  '#{"#tag":"a tag","payload":[{"#tag":"inner","payload":1}]}',
  '#{"#error":"a message","name":"TypeError","errorId":"error:1"}',
  '#{"__proto__":{"a":1},"constructor":2,"then":"$0","toString":[]}',
  '#"#undefined"',
  '#7',
  '#[[[[[[]]]]],{},{"a":{}}]',
  '#["$00","$0x0","$1e0","$ 0","$-0","&0","$"]',
  '#[{"#error":"x","name":"__proto__"},{"#error":"y","name":"constructor","errors":[]}]',
];

const qclassCorpus = [
  '["method",[1,"a",true,null,-0.5]]',
  '{"a":{"@qclass":"undefined"},"b":[{"@qclass":"NaN"},{"@qclass":"Infinity"},{"@qclass":"-Infinity"}]}',
  '[{"@qclass":"bigint","digits":"123"},{"@qclass":"slot","iface":"Alleged: thing","index":0}]',
  '[{"@qclass":"slot","index":1},{"@qclass":"ibid","index":1},[{"@qclass":"ibid","index":1}]]',
  '{"@qclass":"error","name":"TypeError","message":"a message"}',
  '[{"a":[1]},{"@qclass":"ibid","index":1},{"@qclass":"ibid","index":2}]',
  '{"__proto__":{"a":1},"constructor":2,"then":{"@qclass":"slot","index":0}}',
  '{"@qclass":"hilbert","original":{"@qclass":"undefined"},"rest":{"a":1}}',
  '{"@qclass":"tagged","tag":"a","payload":[1]}',
  '[{"@qclass":"symbol","name":"@@asyncIterator"},{"@qclass":"@@asyncIterator"}]',
  '7',
  '[[[[]]],{}]',
];

const slots = ['o-50', 'p-60', 'o-51'];
const values = [Far('first', {}), harden(Promise.resolve(1)), Far('second', {})];
/** @param {string} slot */
const valOf = slot => values[slots.indexOf(slot)];
/** @param {unknown} value */
const slotOf = value => slots[values.indexOf(/** @type {any} */ (value))] ?? 'o+1';

const marshals = {
  smallcaps: makeSmallcapsMarshal(slotOf, valOf),
  qclass: makeQclassMarshal(slotOf, valOf),
};
const corpora = { smallcaps: smallcapsCorpus, qclass: qclassCorpus };

/** @template T @param {() => T} read @returns {{ value: T } | { error: unknown }} */
const attempt = read => {
  try {
    return { value: read() };
  } catch (error) {
    return { error };
  }
};

/** The order of names is the writer's, so that one pass brings the normal form. */
for (const notation of /** @type {const} */ (['smallcaps', 'qclass'])) {
  test(`${notation}: a nearly well-formed body gives a passable value or is refused`, t => {
    const { rounds, seed } = fuzzing(4000);
    const random = makeRandom(`${seed} ${notation}`);
    const next = makeMutations(random, corpora[notation]);
    const marshal = marshals[notation];
    let taken = 0;
    for (let round = 0; round < rounds; round += 1) {
      const body = next();
      const shown = `seed ${seed}, round ${round}: ${JSON.stringify(body.slice(0, 300))}`;
      const read = attempt(() => marshal.fromCapData({ body, slots }));
      if ('error' in read) {
        if (!(read.error instanceof Error)) t.fail(`${shown} threw no error`);
        const { message } = /** @type {Error} */ (read.error);
        if (/call stack|undefined is not|Cannot read/.test(message)) t.fail(`${shown}: ${message}`);
        continue;
      }
      taken += 1;
      const { value } = read;
      if (!Object.isFrozen(value)) t.fail(`${shown} is not frozen`);
      if (notation === 'qclass') continue;
      const style = attempt(() => passStyleOf(/** @type {any} */ (value)));
      if ('error' in style) t.fail(`${shown} does not pass: ${style.error}`);
      const data = marshal.toCapData(value);
      const again = marshal.toCapData(marshal.fromCapData(data));
      // An error has another number each time, and the library writes "%@@a\u2028" with another "@@" each time.
      if (!/#error|%@@/.test(data.body) && again.body !== data.body)
        t.fail(`${shown} becomes ${data.body}, and then ${again.body}`);
    }
    t.true(taken > rounds / 20, `${taken} of ${rounds} were read`);
    t.is(/** @type {any} */ ({}).a, undefined);
  });

  test(`${notation}: a nearly well-formed message gives a method and arguments or is refused`, t => {
    const { rounds, seed } = fuzzing(2000);
    const random = makeRandom(`${seed} message ${notation}`);
    const prefix = notation === 'smallcaps' ? '#' : '';
    const corpus = corpora[notation].map(
      body => `${prefix}["m",[${notation === 'smallcaps' ? body.slice(1) : body}]]`,
    );
    const next = makeMutations(random, corpus);
    const marshal = marshals[notation];
    for (let round = 0; round < rounds; round += 1) {
      const body = next();
      const first = attempt(() => marshal.messageFromCapData({ body, slots }));
      const second = attempt(() => marshal.messageFromCapData({ body, slots }));
      const third = attempt(() => marshal.messageFromCapData({ body, slots }));
      const shown = `seed ${seed}, round ${round}: ${JSON.stringify(body.slice(0, 300))}`;
      // A body that was read before takes another path.
      if ('value' in first !== 'value' in second || 'value' in first !== 'value' in third)
        t.fail(`${shown} is read by one of three ways`);
      if ('value' in first && !Array.isArray(first.value.args)) t.fail(`${shown} has no arguments`);
    }
    t.pass();
  });

  test(`${notation}: a translated body means the same, and the size of the original bounds its own`, t => {
    const { rounds, seed } = fuzzing(2000);
    const random = makeRandom(`${seed} translate ${notation}`);
    const next = makeMutations(random, corpora[notation]);
    const other = notation === 'smallcaps' ? 'qclass' : 'smallcaps';
    for (let round = 0; round < rounds; round += 1) {
      const body = next();
      const shown = `seed ${seed}, round ${round}: ${JSON.stringify(body.slice(0, 300))}`;
      const { body: there } = translate({ body, slots }, other);
      if (there === body) continue;
      if (notationOf(there) !== other) t.fail(`${shown} becomes ${there.slice(0, 100)}`);
      if (there.length > 70_000 + 40 * body.length) t.fail(`${shown} becomes ${there.length} long`);
      if (isTooDeep(body)) t.fail(`${shown} was translated, and is too deep`);
      attempt(() => splitMessage({ body: there, slots }));
    }
    t.pass();
  });
}
