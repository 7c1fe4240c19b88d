// Mistakes that newcomers make in messages between vats, and what each is told. Those in vats are in vats.test.js.

import test from 'ava';
import { runVats } from '../../packages/host/test/vats/run-vats.js';

const far = "import { E, Far } from '@endo/far';\n";

/** The expression that bootstrap returns, and what is told. @type {[expression: string, told: RegExp][]} */
const mistakes = [
  ['E(vats.a).then(x => x)', /; E\(…\)\.then\(…\) sends the message then\(\): what answers is/],
  [
    'E(E(vats.a).greet).more()',
    /it is a function: .* with its parentheses, E\(E\(…\)\.method\(\)\)\.more\(…\)/,
  ],
  ['E(E(vats.a).greet()).more()', /come to plain data, which takes no messages; await it/],
  [
    'E(vats.a).greet(Object.create(null))',
    /an object without a prototype is passed as a record, \{\.\.\.it\}/,
  ],
  [
    'E(vats.a).recur()',
    /Maximum call stack size exceeded\n( +at again \(.*\)\n)+ +… and \d+ more like it$/m,
  ],
];

/** @param {Record<string, string>} sources */
const tell = async sources => {
  const { failure, errors } = await runVats(sources);
  return [failure ?? '', ...errors].join('\n');
};

for (const [expression, told] of mistakes) {
  test(`${expression} is told with what to do`, async t => {
    const sources = {
      bootstrap: `${far}export const buildRootObject = () =>
  Far('bootstrap', { bootstrap: vats => ${expression} });`,
      a: `${far}const again = () => again() + 1;
export const buildRootObject = () => Far('a', { greet: () => 1, recur: () => again() });`,
    };
    t.regex(await tell(sources), told);
  });
}

test('attributes of an import behind the old word are told with the new one', async t => {
  const bootstrap = "import x from './x.json' assert { type: 'json' };";
  t.regex(
    await tell({ bootstrap }),
    /bootstrap\.js:1:\d+: .* attributes behind "with": import it from "\.\/it\.json" with \{/,
  );
});
