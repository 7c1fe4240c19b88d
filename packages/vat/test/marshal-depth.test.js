// Bodies and data of any depth: far below the end of the stack they pass, and above a fixed bound they do not, wherever the
// stack ends.

import '#testkit/lockdown.js';
import { execFileSync } from 'node:child_process';
import test from 'ava';
import fc from 'fast-check';

import { insistShallowData, isTooDeep, maxDepth } from '../marshal/depth.js';
import { makeQclassMarshal, makeSmallcapsMarshal, makeTagged } from '../marshal/index.js';
import { translate } from '../marshal/translate.js';

const refuse = () => {
  throw Error('there are no references');
};
const smallcaps = makeSmallcapsMarshal(refuse, refuse);
const qclass = makeQclassMarshal(refuse, refuse);

/** @type {(open: string, inside: string, close: string, depth: number) => string} */
const nest = (open, inside, close, depth) => open.repeat(depth) + inside + close.repeat(depth);

/** @type {Record<string, (depth: number) => string>} */
const smallcapsBodies = {
  lists: depth => `#${nest('[', '', ']', depth)}`,
  records: depth => `#${nest('{"a":', '1', '}', depth)}`,
  'renamed records': depth => `#${nest('{"!#a":', '1', '}', depth)}`,
  tags: depth => `#${nest('{"#tag":"a","payload":', '1', '}', depth)}`,
  'text with brackets': depth => `#["${'[{'.repeat(5000)}\\"",${nest('[', '', ']', depth - 1)}]`,
};

/** @type {Record<string, (depth: number) => string>} */
const qclassBodies = {
  lists: depth => nest('[', '', ']', depth),
  records: depth => nest('{"a":', '1', '}', depth),
};

for (const [name, body] of Object.entries(smallcapsBodies)) {
  test(`smallcaps: ${name} of ${maxDepth} levels are read, and of one more refused`, t => {
    t.notThrows(() => smallcaps.fromCapData({ body: body(maxDepth), slots: [] }));
    t.throws(() => smallcaps.fromCapData({ body: body(maxDepth + 1), slots: [] }), {
      message: 'the data is nested deeper than 1024 levels',
    });
    const { body: there } = translate({ body: body(maxDepth), slots: [] }, 'qclass');
    t.not(there[0], '#');
    const tooDeep = body(maxDepth + 1);
    t.is(translate({ body: tooDeep, slots: [] }, 'qclass').body, tooDeep);
  });
}

for (const [name, body] of Object.entries(qclassBodies)) {
  test(`the notation of 2020: ${name} of ${maxDepth} levels are read, and of one more refused`, t => {
    t.notThrows(() => qclass.fromCapData({ body: body(maxDepth), slots: [] }));
    t.throws(() => qclass.fromCapData({ body: body(maxDepth + 1), slots: [] }), {
      message: 'the data is nested deeper than 1024 levels',
    });
    t.is(translate({ body: body(maxDepth), slots: [] }, 'smallcaps').body[0], '#');
    const tooDeep = body(maxDepth + 1);
    t.is(translate({ body: tooDeep, slots: [] }, 'smallcaps').body, tooDeep);
  });
}

/** @type {(wrap: (inner: any) => any, depth: number) => any} */
const wrap = (wrapper, depth) => {
  let value = wrapper(1);
  for (let i = 1; i < depth; i += 1) value = harden(wrapper(value));
  return value;
};

test('a written body may have as many levels as a body that is read', t => {
  for (const marshal of [smallcaps, qclass]) {
    for (const wrapper of [(/** @type {any} */ x) => [x], (/** @type {any} */ a) => ({ a })]) {
      const deep = wrap(wrapper, maxDepth);
      const data = marshal.toCapData(deep);
      t.deepEqual(marshal.toCapData(marshal.fromCapData(data)), data);
      t.throws(() => marshal.toCapData(harden([deep])), { message: /deeper than 1024 levels/ });
    }
  }
  const tagged = wrap(x => makeTagged('a', x), 500);
  t.true(smallcaps.toCapData(tagged).body.length > 500);
});

test('data that repeats its parts is looked at in the time that its parts take', t => {
  /** @type {any} */
  let value = harden([1]);
  for (let i = 0; i < 1000; i += 1) value = harden([value, value]);
  t.notThrows(() => insistShallowData(value));
  t.throws(() => insistShallowData(wrap(x => [x, x], maxDepth + 1)));
});

test('brackets in strings are no levels', t => {
  t.false(isTooDeep(`["${'['.repeat(10_000)}"]`));
  t.false(isTooDeep(`["\\"${'['.repeat(10_000)}","\\\\"]`));
  t.false(isTooDeep('[],'.repeat(10_000)));
  t.true(isTooDeep(`["",${'['.repeat(maxDepth)}${']'.repeat(maxDepth)}]`));
});

test('strings of quotes, backslashes and brackets change no level', t => {
  const character = fc.constantFrom(...'"\\[]{}a\n\u{2028}');
  const text = fc.string({ unit: character, maxLength: 200 });
  const depths = fc.integer({ min: maxDepth - 2, max: maxDepth + 2 });
  fc.assert(
    fc.property(depths, fc.array(text, { minLength: 1, maxLength: 8 }), (depth, texts) => {
      /** @type {unknown} */
      let value = [];
      for (let level = 1; level < depth; level += 1) {
        const one = texts[level % texts.length];
        value = level % 3 === 0 ? { [one]: value, [`${one}.`]: one } : [one, value, one];
      }
      t.is(isTooDeep(JSON.stringify(value)), depth > maxDepth);
    }),
    { numRuns: 60 },
  );
});

test('a body that repeats its objects is not written out beyond what its length allows', t => {
  let body = '[[1]';
  for (let i = 0; i < 40; i += 1)
    body += `,[{"@qclass":"ibid","index":${i + 1}},{"@qclass":"ibid","index":${i + 1}}]`;
  body += ']';
  t.is(translate({ body, slots: [] }, 'smallcaps').body, body);
  const long = `[["${'x'.repeat(100_000)}"]${',{"@qclass":"ibid","index":1}'.repeat(50)}]`;
  t.is(translate({ body: long, slots: [] }, 'smallcaps').body, long);
  const few = '[["x"],{"@qclass":"ibid","index":1},{"@qclass":"ibid","index":1}]';
  t.is(translate({ body: few, slots: [] }, 'smallcaps').body, '#[["x"],["x"],["x"]]');
});

test('three quarters of the usual stack are enough', t => {
  if (process.execArgv.some(flag => flag.startsWith('--stack-size'))) {
    t.pass('this is the process with less of it');
    return;
  }
  const code = `
    await import('#testkit/lockdown.js');
    const { makeQclassMarshal, makeSmallcapsMarshal, makeTagged } = await import('${new URL('../marshal/index.js', import.meta.url).href}');
    const { translate } = await import('${new URL('../marshal/translate.js', import.meta.url).href}');
    const nest = (open, inside, close) => open.repeat(1024) + inside + close.repeat(1024);
    const none = () => { throw Error('no references'); };
    const smallcaps = makeSmallcapsMarshal(none, none);
    const qclass = makeQclassMarshal(none, none);
    for (const body of [nest('[', '', ']'), nest('{"a":', '1', '}'), nest('{"!#a":', '1', '}'), nest('{"#tag":"a","payload":', '1', '}')]) {
      const data = { body: '#' + body, slots: [] };
      const value = smallcaps.fromCapData(data);
      if (!body.includes('#tag')) smallcaps.toCapData(value);
      if (translate(data, 'qclass').body[0] === '#') throw Error('not translated: ' + body.slice(0, 20));
      if (body.includes('#')) continue;
      qclass.toCapData(qclass.fromCapData({ body, slots: [] }));
      if (translate({ body, slots: [] }, 'smallcaps').body[0] !== '#') throw Error('not translated: ' + body.slice(0, 20));
    }
    console.log('all');`;
  const args = ['--stack-size=738', '--no-opt', '--input-type=module', '-e', code];
  const cwd = new URL('../../..', import.meta.url);
  t.is(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }), 'all\n');
});
