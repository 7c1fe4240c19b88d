// `match` and `replace` step by step are what the engine says of expressions that nobody has changed, and read the same
// properties on every engine.

import test from 'ava';
import fc from 'fast-check';
import { matchBySteps, replaceBySteps } from '../evaluation/regexp-steps.js';
import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

const parts = [
  'a',
  'b',
  '(a)',
  '(?<n>b)',
  '(c)?',
  '.',
  '(?:)',
  'x*',
  '\\b',
  '^',
  '$',
  '\\d',
  '(?<m>.)?',
];
const units = ['a', 'b', 'c', '1', ' ', '😀', '\ud83d', '\n'];
const signs = [
  '$',
  '$$',
  '$&',
  '$`',
  "$'",
  '$1',
  '$2',
  '$01',
  '$10',
  '$0',
  '$00',
  '$<n>',
  '$<',
  '>',
  '$<m$&>',
  'y',
  '2',
];

test('of expressions that nobody has changed they give what the engine gives', t => {
  const list = (/** @type {string[]} */ from) =>
    fc.array(fc.constantFrom(...from), { maxLength: 6 }).map(picked => picked.join(''));
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...parts), { maxLength: 4 }),
      fc.constantFrom('', 'g', 'u', 'gu', 'y', 'gy', 'guy', 'gi', 'gs', 'v', 'vy'),
      list(units),
      list(signs),
      (pattern, flags, text, template) => {
        const make = () => new RegExp(pattern.join(''), flags);
        // The engine's quick way has captures wrong beside half a character, which a locked-down realm keeps it from.
        const slow = () => Object.assign(make(), { exec: RegExp.prototype.exec });
        t.deepEqual(matchBySteps(make(), text), text.match(slow()));
        t.is(replaceBySteps(make(), text, template), text.replace(slow(), template));
        const tell = (/** @type {unknown[]} */ ...told) => JSON.stringify(told);
        t.is(replaceBySteps(make(), text, tell), text.replace(slow(), tell));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a vat sees one order of reading, and an end, on every engine', async t => {
  await ensureLockdown();
  const { lines } = makeVatCompartment({ name: 'test' }).evaluate(`
    const lines = ['😀'.replace(/(?:)/gv, '-'), 'a😀'.replaceAll(/x*/gv, '$\`|')];
    for (const key of ['match', 'replace']) {
      const reads = [];
      const spy = new Proxy(/b/gv, {
        get: (expression, name) => {
          reads.push(String(name));
          const value = expression[name];
          return typeof value === 'function' ? text => value.call(expression, text) : value;
        },
      });
      const method = RegExp.prototype[Symbol[key]];
      reads.push(Reflect.apply(method, spy, ['abc', 'x']).toString());
      lines.push(reads.join(' '));
    }
    class Odd extends RegExp {
      get flags() { return 'g'; }
      get global() { return false; }
    }
    const late = /a/g;
    const changes = name => ({
      toString: () => {
        Object.defineProperty(late, name, { get: () => void lines.push(name), configurable: true });
        return 'aa';
      },
    });
    for (const name of ['global', 'flags']) {
      lines.push(late[Symbol.replace](changes(name), 'x'));
      lines.push(String(late[Symbol.match](changes(name))));
    }
    lines.push('aa'.replace(new Odd('a', 'g'), 'x'), String('aa'.match(new Odd('a', 'g'))));
    ({ lines });
  `);
  t.deepEqual(lines, [
    ...['-😀-', '|aa|😀a😀|', 'flags exec exec b', 'flags exec exec axc'],
    ...['global', 'xa', 'global', 'a', 'flags', 'aa', 'flags', 'a', 'xx', 'a,a'],
  ]);
});
