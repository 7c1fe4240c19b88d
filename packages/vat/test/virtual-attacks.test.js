// A hostile vat can spoil its own virtual data, and nothing else.

import '#testkit/lockdown.js';
import test from 'ava';
import { runProgram } from './run-virtual.js';

const attacks = await import(new URL('fixtures/virtual/attacks.js', import.meta.url).href);

/**
 * Runs an attack in a vat, and gets what the vat says.
 *
 * @param {(env: any) => void} attack  with `say`, and `tried`, which says what was thrown
 * @returns {Promise<any[]>}
 */
const attackWith = async attack => {
  const program = {
    build:
      (/** @type {any} */ env) =>
      (/** @type {any} */ _powers, /** @type {any} */ _parameters, /** @type {any} */ baggage) => {
        const tried = (/** @type {() => any} */ run) => {
          try {
            env.say(run());
          } catch (error) {
            env.say(error);
          }
        };
        return env.Far('root', { attack: () => attack({ ...env, baggage, tried }) });
      },
    steps: async (/** @type {any} */ { deliver, boyd }) => {
      await deliver('o+0', 'attack');
      await boyd();
      await boyd();
    },
  };
  const lines = await runProgram(program);
  return lines
    .map(line => JSON.parse(line))
    .filter(([kind]) => kind === 'say')
    .map(([, ...said]) => said);
};

test('a method works on objects of its own kind and facet only', async t => {
  const said = await attackWith(attacks.kinds);
  const invalid = /may only be applied to a valid instance|called without 'this' object/;
  for (const i of [0, 2, 3, 4, 5]) t.regex(said[i][0], invalid, String(i));
  t.is(said[1][0], 'of a');
});

test('accessors of a state work on states of their own kind only', async t => {
  const said = await attackWith(attacks.states);
  t.is(said[0][0], 1);
  for (const i of [1, 2, 3])
    t.is(said[i][0], 'Error: state accessors can only be applied to state');
  t.is(said[4][0], true);
  t.regex(said[5][0], /TypeError/);
});

test('names such as __proto__ are properties and keys as others are', async t => {
  const said = await attackWith(attacks.oddNames);
  t.is(said[0][0], '1,__proto__,constructor,toString');
  t.is(said[1][0], 5);
  t.is(said[2][0], ', ,__proto__,constructor,|entryCount,|schemata,~');
  t.is(said[3][0], '|entryCount');
  t.is(said[4][0], 7);
  t.is(said[5][0], '__proto__,a');
});

test('NaN and -0 are one key each, with 0', async t => {
  const said = await attackWith(attacks.numbers);
  t.is(said[0][0], 'nan,zero,true,true');
  t.regex(said[1][0], /already registered/);
});

test('keys and values that the store cannot keep are refused, and leave nothing', async t => {
  const said = await attackWith(attacks.bounds);
  t.is(said[0][0], 'Error: key too large');
  t.regex(said[1][0], /lone surrogate/);
  t.regex(said[2][0], /lone surrogate/);
  t.is(said[3][0], 'Error: key too large');
  t.is(said[4][0], 'Error: syscall capdata too large');
  t.is(said[6][0], true);
  for (const i of [7, 8]) t.regex(said[i][0], /invalid key type/, String(i));
  t.is(said[9][0], '1,1');
});

test('initial data, behaviours and options may be proxies and have getters: the vat sees what it said', async t => {
  const said = await attackWith(attacks.proxies);
  t.is(said[0][0], '1,1');
  t.is(said[1][0], 'Error: mine');
  t.is(said[2][0], 'Error: keys');
  t.regex(said[3][0], /invalid behavior/);
  t.regex(said[4][0], /stateShape must be a copyRecord/);
  for (const i of [5, 6, 7, 8, 9, 10]) t.regex(said[i][0], /Error/, String(i));
});

test('methods that call each other, and change what is walked through, see one state', async t => {
  const said = await attackWith(attacks.reentrancy);
  t.is(said[0][0], '5,6');
  t.is(said[1][0], 'a,b,c,d,e,f,0');
  t.regex(said[2][0], /cannot be added to during iteration/);
  t.is(said[3][0], true);
  t.is(said[4][0], 'Error: hi');
});

test('marks of a vat on an object last as long as it holds it, and cannot tell collections', async t => {
  const lines = await runProgram(attacks.marks);
  const said = lines.map(line => JSON.parse(line)).filter(([kind]) => kind === 'say');
  t.deepEqual(said, [
    ['say', true, 'by vref', false],
    ['say', true],
    ['say', true, 'by vref', false],
  ]);
});
