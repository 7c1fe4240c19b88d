// The kernel's rule for values that a vat can read, held against the vat's decoder.

import '#testkit/lockdown.js';

import fc from 'fast-check';
import test from 'ava';
import { arbPassable, makeArbPassable } from '#testkit/passable.js';
import { Far, makeQclassMarshal, makeSmallcapsMarshal } from '#vat';
import { isReadable } from '../packages/kernel/crank/readable.js';

/** @typedef {'smallcaps' | 'qclass'} Notation */

const object = Far('object', {});
const promise = harden(Promise.resolve());
const krefs = ['ko20', 'kp40', 'kd30', 'ko21'];
const valueOf = (/** @type {string} */ kref) => (kref.startsWith('kp') ? promise : object);

const list = (/** @type {string} */ words) => words.split(' ');

/** @type {Record<Notation, { decode: (text: string) => unknown, odd: string[], names: string[] }>} */
const notations = {
  smallcaps: {
    decode: text => {
      const { fromCapData } = makeSmallcapsMarshal(() => '', valueOf);
      return fromCapData({ body: `#${text}`, slots: krefs });
    },
    odd: [
      ...list(
        '$0 $1 $2 $3.it $4 $ $x $-1 $0x &0 &1 &1.x & #undefined #NaN #Infinity #-Infinity # #tag',
      ),
      ...list('#error !#x ! !! " +1 -10 + - +x -1.5 %a %@@iterator %@@none %@@@@x % ( ,'),
    ],
    names: [...list('#tag #error payload name errorId !x $0 +1 then __proto__'), ''],
  },
  qclass: {
    decode: text => makeQclassMarshal(() => '', valueOf).fromCapData({ body: text, slots: krefs }),
    odd: [...list('undefined NaN Infinity -Infinity bigint error slot 1 -1 - 0x1 x1'), ''],
    names: ['@qclass', 'index', 'digits', 'name', 'message', 'iface', 'x', '__proto__'],
  },
};

/** @param {Notation} notation @param {string} text */
const canDecode = (notation, text) => {
  try {
    notations[notation].decode(text);
    return true;
  } catch {
    return false;
  }
};

for (const notation of /** @type {Notation[]} */ (['smallcaps', 'qclass'])) {
  const { odd, names } = notations[notation];

  /** JSON whose strings and names are those with a meaning in the notation. */
  const arbTree = fc.letrec(tie => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...odd),
      fc.constantFrom(0, 1, 3, 4, -1, 1.5, null, true),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 4 }),
      // Records that are nearly right.
      notation === 'smallcaps'
        ? fc.oneof(
            fc.record({ '#tag': tie('tree'), payload: tie('tree') }),
            fc.record({ '#error': fc.constantFrom(...odd), name: fc.constantFrom(...odd) }),
          )
        : fc.record({
            '@qclass': fc.constantFrom(...odd),
            index: fc.constantFrom(0, 1, 3, 4, -1, 0.5, '0'),
            digits: fc.constantFrom(...odd),
            name: fc.constantFrom('x', 7),
            message: fc.constantFrom('x', 7),
          }),
    ),
  })).tree;

  test(`${notation}: what the kernel takes as readable is what vats can decode`, t => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(arbTree, tree => {
        const text = JSON.stringify(tree);
        const is = isReadable(notation, JSON.parse(text), krefs);
        seen[is ? 'yes' : 'no'] += 1;
        t.is(is, canDecode(notation, text), text);
      }),
      { numRuns: 5_000 },
    );
    t.true(seen.yes > 500 && seen.no > 500, JSON.stringify(seen));
  });

  test(`${notation}: the kernel takes every value that a vat encodes as readable`, t => {
    const make = notation === 'smallcaps' ? makeSmallcapsMarshal : makeQclassMarshal;
    /** @param {unknown} value @param {(part: object) => string} slotOf */
    const encode = (value, slotOf) => {
      try {
        return make(slotOf, valueOf).toCapData(value);
      } catch {
        // 2020 has no symbols that are not well known.
        fc.pre(notation === 'smallcaps');
        throw Error('every passable value can be encoded in smallcaps');
      }
    };
    fc.assert(
      fc.property(
        notation === 'smallcaps' ? arbPassable : makeArbPassable({ tagged: false }),
        value => {
          /** @type {Map<unknown, string>} */
          const known = new Map();
          const slotOf = (/** @type {unknown} */ part) => {
            const kref = known.get(part) ?? `${part instanceof Promise ? 'kp' : 'ko'}${known.size}`;
            known.set(part, kref);
            return kref;
          };
          const { body, slots } = encode(value, slotOf);
          const text = notation === 'smallcaps' ? body.slice(1) : body;
          // An object that is repeated by its number cannot be a part of another message.
          fc.pre(!body.includes('"ibid"'));
          t.true(isReadable(notation, JSON.parse(text), slots), body);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test(`${notation}: a value that is nested too deep for a vat is not readable`, t => {
    const nested = (/** @type {number} */ levels) =>
      JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    t.true(isReadable(notation, nested(1_000), []));
    t.false(isReadable(notation, nested(1_001), []));
    t.false(isReadable(notation, nested(1_000_000), []));
  });
}
