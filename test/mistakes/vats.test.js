// Mistakes that newcomers make in vats, and what each is told: the place in the author's file, what is wrong, and what to do.
// A row that says nothing of that kind fails.

import test from 'ava';
import { runVats } from '../../packages/host/test/vats/run-vats.js';

const far = "import { E, Far } from '@endo/far';\n";

/** A vat with one method. @param {string} method */
const vat = method => `${far}export const buildRootObject = () => Far('a', { ${method} });`;

/** Bootstrap that does one thing. @param {string} body */
const boot = body => `${far}export const buildRootObject = () => Far('bootstrap', {
  async bootstrap(vats, devices) { ${body} },
});`;

const callA = boot('return E(vats.a).greet();');

/**
 * The source that is written, and the error that is reported.
 *
 * @type {[title: string, sources: { a?: string, bootstrap?: string }, told: RegExp[]][]}
 */
const mistakes = [
  [
    'a method that is nearly right',
    { bootstrap: boot('return E(vats.a).gret();'), a: vat('greet() {}') },
    [/^vat a: TypeError: target has no method "gret", has \["greet"\]; did you mean greet\(\)\?$/m],
  ],
  [
    'a vat that is not there',
    { bootstrap: boot('return E(vats.bb).greet();') },
    [/vats\.bb is undefined: no vat of the config is called "bb"/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a device that is not there',
    { bootstrap: boot('return devices.timer.getLastPolled();') },
    [
      /devices\.timer is undefined: no device of the config is called "timer"/,
      /bootstrap\.js:3:\d+/,
    ],
  ],
  [
    'a message to a device that is not there',
    { bootstrap: boot('return E(devices.timer).getLastPolled();') },
    [
      /devices\.timer is undefined: no device of the config is called "timer"/,
      /bootstrap\.js:3:\d+/,
    ],
  ],
  [
    'a call of a device without D()',
    { bootstrap: boot('return devices.vatAdmin.create();') },
    [/a device is called by D\(devices\.vatAdmin\)\.create\(…\)/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a message to a device',
    { bootstrap: boot('return E(devices.vatAdmin).create();') },
    [/a device is called by D\(device\)\.create\(…\), and data takes no messages/],
  ],
  [
    'a name in the place of the vat',
    { bootstrap: boot("return E('a').greet();"), a: vat('greet() {}') },
    [/not its name, as E\(vats\.a\)\.greet\(…\) in bootstrap\(vats\)/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a first vat without bootstrap()',
    { bootstrap: `${far}export const buildRootObject = () => Far('b', { start() {} });` },
    [/has no method "bootstrap".*; the config's first vat is sent bootstrap\(vats, devices\)/],
  ],
  [
    'a ring as a result',
    { a: vat('greet() { const a = {}; a.a = a; return a; }') },
    [/cannot be passed: .* cannot be cyclic .*; pass data without rings/, /vat-a\.js:2:\d+/],
  ],
  [
    'a getter in a result',
    { a: vat('greet() { return { get size() { return 1; } }; }') },
    [/"size" must not be an accessor property.*; data has values: copy it by \{\.\.\.it\}/],
  ],
  [
    'a call without E()',
    { bootstrap: boot('return vats.a.greet();'), a: vat('greet() {}') },
    [/did you forget E\(\)\? .* E\(vats\.a\)\.greet\(…\)/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a message to a number',
    { bootstrap: boot('return E(5).greet();') },
    [/target has no method "greet".*data takes no messages/, /bootstrap\.js:3:\d+/],
  ],
  ...[
    'new Map()',
    'new Set()',
    'new Date(0)',
    '/x/',
    'new Uint8Array(1)',
    'new (class X {})()',
  ].map(
    /** @returns {[string, { bootstrap: string, a: string }, RegExp[]]} */ value => [
      `${value} as an argument`,
      { bootstrap: boot(`return E(vats.a).greet(${value});`), a: vat('greet() {}') },
      [/the arguments of E\(…\)\.greet\(.*\) cannot be passed; .* passed as /],
    ],
  ),
  ...['new Map()', 'new Set()', 'new Date(0)'].map(
    /** @returns {[string, { a: string }, RegExp[]]} */ value => [
      `${value} as a result`,
      { a: vat(`greet() { return ${value}; }`) },
      [/greet\(\) returned .*, which cannot be passed; .* passed as /, /vat-a\.js:2:\d+/],
    ],
  ),
  [
    'an argument that nobody declared Far',
    { bootstrap: boot('return E(vats.a).greet({ m() {} });'), a: vat('greet() {}') },
    [/an object with methods is declared by Far\(name, \{methods\}\)/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a function as an argument',
    { bootstrap: boot('return E(vats.a).greet(() => 1);'), a: vat('greet() {}') },
    [/cannot be passed; an object with methods is declared by Far/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a result that nobody declared Far',
    { a: vat('greet: () => ({ m() {} })') },
    [/greet\(\) returned .* is declared by Far\(name, \{methods\}\)/, /vat-a\.js:2:\d+/],
  ],
  [
    'a root that nobody declared Far',
    { a: 'export const buildRootObject = () => ({ greet() {} });' },
    [
      /vat a: .*buildRootObject returned .* it must return Far\(name, \{methods\}\)/,
      /at buildRootObject \(vat-a\.js:1\)/,
    ],
  ],
  ...['Date.now()', 'new Date()', 'performance.now()'].map(
    /** @returns {[string, { a: string }, RegExp[]]} */ value => [
      value,
      { a: vat(`greet() { return ${value}; }`) },
      [/a vat has no (clock|performance); use the timer service/, /vat-a\.js:2:\d+/],
    ],
  ),
  [
    'Math.random()',
    { a: vat('greet() { return Math.random(); }') },
    [/a vat has no randomness/, /vat-a\.js:2:\d+/],
  ],
  ...[
    'setTimeout(() => {}, 5)',
    'setInterval(() => {}, 5)',
    'setImmediate(() => {})',
    'queueMicrotask(() => {})',
    'process.env.X',
    "require('fs')",
    "Buffer.from('x')",
    "fetch('http://example.org')",
    'new WeakRef({})',
    'new FinalizationRegistry(() => {})',
  ].map(
    /** @returns {[string, { a: string }, RegExp[]]} */ value => [
      value,
      { a: vat(`greet() { return ${value}; }`) },
      [/; a vat has no \w+; /, /vat-a\.js:2:\d+/],
    ],
  ),
  [
    'an argument that is changed',
    { bootstrap: boot('return E(vats.a).greet({ x: 1 });'), a: vat('greet(it) { it.x = 2; }') },
    [/TypeError: Cannot assign to read only property 'x'/, /vat-a\.js:2:\d+/],
  ],
  [
    'an object of the module that is thrown away and rejected',
    { a: vat("greet() { Promise.reject(Error('lost')); }") },
    [/vat a: .*Error: lost/, /vat-a\.js:2:\d+/],
  ],
  [
    'a throw at the top of a module',
    { a: "throw Error('too early');" },
    [/vat a: .*too early/, /vat-a\.js:1/],
  ],
  ...[
    ['nothing exported', 'const x = 1;', /the module exports nothing/],
    ['another export', 'export const x = 1;', /the module exports "x"/],
    ['a default export', 'export default () => {};', /the module exports "default"/],
    [
      'an export that is nearly right',
      'export const buildRootObjct = () => {};',
      /the module exports "buildRootObjct"; did you mean "buildRootObject"\?/,
    ],
    [
      'an export that is no function',
      'export const buildRootObject = 5;',
      /the module exports buildRootObject, which is no function but number/,
    ],
  ].map(
    /** @returns {[string, { a: string }, RegExp[]]} */ ([title, a, told]) => [
      String(title),
      { a: String(a) },
      [/** @type {RegExp} */ (told), /lacks buildRootObject\(\) function/, /^ +at vat-a\.js:1$/m],
    ],
  ),
  [
    'JSX',
    { a: 'export const buildRootObject = () => <b/>;' },
    [/vat-a\.js:1:\d+: this is JSX or TypeScript, and no JavaScript/],
  ],
  ['a slip of syntax', { a: 'export const = 1;' }, [/vat-a\.js:1:\d+.*Unexpected token/]],
  [
    'a function that nobody declared',
    { a: vat('greet() { return nme(); }') },
    [/TypeError: nme is not a function/, /vat-a\.js:2:\d+/],
  ],
  ['an import of no file', { a: "import './no.js';" }, [/vat-a\.js:1.*no\.js/]],
  ['an import of no package', { a: "import 'no-such-package';" }, [/vat-a\.js:1.*no-such-package/]],
  ["an import of Node's", { a: "import 'node:fs';" }, [/vat-a\.js:1.*node:fs/]],
  [
    'a message to the vats',
    { bootstrap: boot('return E(vats).a.greet();') },
    [/E\(\) takes what the message goes to: E\(vats\.a\)\.greet\(…\)/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a message to a method',
    { bootstrap: boot('return E(vats.a.greet)();') },
    [/a message is sent by E\(vats\.a\)\.greet\(…\)/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a message without its call',
    { bootstrap: boot('return E(vats.a).greet;') },
    [/bootstrap\(\) returned .*a message is sent by E\(target\)\.method\(…\)/, /bootstrap\.js:3/],
  ],
  ...[
    ["Far('x', { size: 1, m() {} })", /non-methods like "size".*; Far\(name, \{methods\}\) takes/],
    ["Far('x', { get m() { return 1; } })", /accessors like "m".*; Far\(name, \{methods\}\) takes/],
    ["Far('x', new (class X { m() {} })())", /inherit from .*; Far\(.*takes no instance/],
    ["Far('x', class X { m() {} })", /unexpected properties .*; Far\(.*takes no class/],
    ["Far('x', [1])", /cannot serialize arrays .*an array is passed as it is/],
    ["Far({ m() {} }, 'x')", /the name comes first: Far\(name, \{methods\}\)/],
    ["Far('x', Object.freeze({ m() {} }))", /takes an object that is not frozen yet/],
    ['module.exports.x', /a vat has no module; use export/],
    ['(module.exports = 1)', /a vat has no module; use export/],
  ].map(
    /** @returns {[string, { a: string }, RegExp[]]} */ ([value, told]) => [
      `${String(value)} as a result`,
      { a: vat(`greet() { return ${String(value)}; }`) },
      [/** @type {RegExp} */ (told), /vat-a\.js:2:\d+/],
    ],
  ),
  [
    'methods in the place of the name',
    {
      bootstrap: boot('return E(vats.a).greet().then(x => E(x).m());'),
      a: vat('greet: () => Far({ m() {} })'),
    },
    [
      /target has no method "m", has \[\]; it has no methods; Far\(name, \{methods\}\) takes them second/,
    ],
  ],
  ...[
    ['[1, , 2]', /an array is passed without holes/],
    ["{ [Symbol('x')]: 1 }", /the fields of a record are named by texts/],
    ["Symbol('x')", /make it by Symbol\.for\(name\)/],
    ['(function* () {})()', /what a generator gives is passed as an array/],
  ].map(
    /** @returns {[string, { bootstrap: string }, RegExp[]]} */ ([value, told]) => [
      `${String(value)} as an argument`,
      { bootstrap: boot(`return E(vats.a).greet(${String(value)});`) },
      [/the arguments of E\(…\)\.greet\(/, /** @type {RegExp} */ (told)],
    ],
  ),
  ...[
    ['globalThis.cache = 1', /what vats share is frozen: .*variable of the module/],
    ['delete Array.prototype.map', /what vats share is frozen/],
    ['console.table([1])', /a vat's console has debug, log, info, warn and error/],
    ['new Intl.NumberFormat()', /a vat has no Intl; what it says differs between machines/],
    ['new Float64Array(1)', /a vat has no Float64Array; use an array of numbers/],
    ['global.x', /a vat has no global; use globalThis/],
    ["new Worker('x')", /a vat has no Worker; /],
    ['exports.x', /a vat has no exports; use export/],
    ['D(5).x()', /D is not a function; a vat is given it, buildRootObject\(\{ D \}\)/],
    ['makePromiseKit()', /import \{ makePromiseKit \} from '@endo\/promise-kit'/],
    ['M.any()', /M is undefined|import \{ M \} from '@endo\/patterns'/],
  ].map(
    /** @returns {[string, { a: string }, RegExp[]]} */ ([value, told]) => [
      String(value),
      { a: vat(`greet() { return ${String(value)}; }`) },
      [/** @type {RegExp} */ (told), /vat-a\.js:2:\d+/],
    ],
  ),
  [
    'an error with a code as an argument',
    { bootstrap: boot("return E(vats.a).greet(Object.assign(Error('x'), { code: 5 }));") },
    [/"code" own property .*an error passes its name and its message; pass a record beside it/],
  ],
  ...[
    [
      "baggage.init('m', new Map())",
      /Use harden\(\); functions, a Map, a Set .* cannot be passed.*\n +at buildRootObject \(vat-a\.js:2/,
    ],
    ["baggage.init('m', Far('x', {}))", /not durable.*prepareExo\(baggage, …\)/],
    ["VatData.defineDurableKind('c', () => ({}), {})", /VatData\.makeKindHandle\(name\) gives/],
  ].map(
    /** @returns {[string, { a: string }, RegExp[]]} */ ([value, told]) => [
      String(value),
      {
        a: `${far}export const buildRootObject = ({ VatData }, _, baggage) => { ${String(value)}; };`,
      },
      [/** @type {RegExp} */ (told)],
    ],
  ),
  [
    'a property that is read of an object of another vat',
    { bootstrap: boot('return E.get(vats.a).size;') },
    [
      /^vat bootstrap: Error: E\.get\(…\)\.size is undefined: .* methods only; ask it by E\(target\)\.method\(…\)$/m,
    ],
  ],
  [
    "a slip in a field of a virtual object's state",
    {
      a: `${far}export const buildRootObject = ({ VatData }) => {
  const make = VatData.defineKind('counter', () => ({ count: 0 }), {
    greet({ state }) { state.cuont = 1; },
  });
  return Far('a', { greet: () => make() });
};`,
      bootstrap: boot('return E(E(vats.a).greet()).greet();'),
    },
    [/the fields that its init function returns, and no "cuont"/, /vat-a\.js:4:\d+/],
  ],
  [
    'a rejection with a text',
    { a: vat("greet() { Promise.reject('lost'); }") },
    [/^vat a: a promise was rejected, and nobody listened: '?lost'?$/m],
  ],
  [
    'a message to the answer without E()',
    { a: vat('greet() {}'), bootstrap: boot('return E(vats.a).greet().more();') },
    [/the answer is a promise; .*E\(E\(…\)\.greet\(…\)\)\.more\(…\)/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a call of a vat',
    { bootstrap: boot('return vats.a();') },
    [/a message names its method: E\(vats\.a\)\.METHOD\(…\)/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a function that E does not have',
    { bootstrap: boot('return E.sendonly(vats.a).greet();') },
    [/E has get, resolve, sendOnly and when; did you mean "sendOnly"\?/],
  ],
  [
    'a power that a vat does not have',
    { a: "export const buildRootObject = vatPowers => vatPowers.exitVatt('x');" },
    [/vatPowers has .*; did you mean "exitVat"\?/, /vat-a\.js:1/],
  ],
  [
    'a device that was not given',
    {
      a: `${far}export const buildRootObject = ({ D }) => Far('a', { greet() { return D(lamp).on(); } });
const lamp = {};`,
    },
    [/D\(\) must be given a device node; lamp is none; bootstrap\(vats, devices\) is given/],
  ],
  [
    'an object that is declared twice',
    { a: `${far}const x = Far('x', {}); export const buildRootObject = () => Far('a', x);` },
    [/already marked .*; Far\(\) declares an object once/, /vat-a\.js:2:\d+/],
  ],
  [
    'a bigint and a number',
    { a: vat('greet() { return 1n + 1; }') },
    [/Cannot mix BigInt .*; write 1n, or convert/, /vat-a\.js:2:\d+/],
  ],
  [
    'a bigint in JSON',
    { a: vat('greet() { return JSON.stringify(1n); }') },
    [/JSON has no bigint/],
  ],
  [
    'a root with a method then()',
    { a: vat('then() {}') },
    [/a root object with a method then\(\) is taken for a promise/],
  ],
  [
    'types in JavaScript',
    { a: 'const x: number = 1;' },
    [/vat-a\.js:1:\d+: .* TypeScript; .*"\.ts"/],
  ],
  [
    'an import of a stylesheet',
    { a: "import './a.css';" },
    [/vat-a\.js:1: cannot import "\.\/a\.css": vats import JavaScript, TypeScript .* and JSON/],
  ],
  [
    'a promise to watch that is none',
    { a: vat('greet() { VatData.watchPromise(Promise.resolve(), {}); }') },
    [/promise watcher must be a virtual object/, /vat-a\.js:2:\d+/],
  ],
  [
    'a forgotten return of a reactor',
    { a: 'export const buildReactor = () => {};' },
    [/buildReactor returned nothing; it must return an instance of a class that extends Reactor/],
  ],
  [
    'a class for a reactor',
    { a: 'export class buildReactor {}' },
    [/buildReactor is a function that returns an instance of the class/],
  ],
  [
    'a misspelt function of a reactor',
    {
      a: `import { Reactor } from 'swingset-runner/reactor';
class Main extends Reactor {
  r = this.reaction({ triggers: this.startup }, () => this.util.requestStpo());
}
export const buildReactor = () => new Main();`,
    },
    [/this\.util has requestStop, .*; did you mean "requestStop"\?/],
  ],
  [
    'a misspelt method of a part of a reactor',
    {
      a: `import { Reactor } from 'swingset-runner/reactor';
class Main extends Reactor {
  list = [];
  r = this.reaction({ triggers: this.startup }, () => this.list.add(1));
}
export const buildReactor = () => new Main();`,
    },
    [/this\.list\.add is not a function$/m],
  ],
  [
    'an import of the package that runs vats',
    { a: "import { makeSimulation } from 'swingset-runner';" },
    [/vat-a\.js:1.*it runs vats, and they do not import it/],
  ],
  [
    'a forgotten import of E',
    {
      a: 'export const buildRootObject = () => harden({ greet: () => E(1).x() });',
      bootstrap: boot('')
        .replace('E, ', '')
        .replace('vats, devices) {', 'vats) { return E(vats.a).greet();'),
    },
    [/E is not a function; import \{ E \} from '@endo\/far'/, /bootstrap\.js:3:\d+/],
  ],
  [
    'a class for a root',
    { a: 'export class buildRootObject { greet() {} }' },
    [/buildRootObject is a function that returns Far\(name, \{methods\}\)/],
  ],
  [
    'a root with data',
    { a: vat('count: 0, greet() {}') },
    [/non-methods like "count".*data is kept in variables/, /vat-a\.js:2:\d+/],
  ],
  [
    'an import of what a module does not export',
    { a: "import { Fra } from '@endo/far'; export const buildRootObject = () => Fra('x', {});" },
    [/vat-a\.js:1.*@endo\/far.*Fra|Fra.*@endo\/far/],
  ],
];

for (const [title, sources, expected] of mistakes) {
  test(`${title} is told with what to do`, async t => {
    const run = await runVats({ a: vat(''), bootstrap: callA, ...sources });
    const told = [...(run.failure === undefined ? [] : [run.failure]), ...run.errors].join('\n');
    for (const pattern of expected) t.regex(told, pattern);
  });
}

test('messages that a vat makes up to look like those that have hints are shown, and nothing breaks', async t => {
  const texts = [
    'target has no method "x", has [1]',
    'target has no method "x", has [{"toLowerCase":1},null]',
    'target has no method "x", has [[[',
    `target has no method "x", has ["${'y'.repeat(100_000)}"]`,
    'constructor is not a function',
    "Cannot read properties of undefined (reading 'x')",
    'Cannot deliver "x" to target; typeof target is "undefined"',
  ];
  const run = await runVats({
    a: vat(`greet(text) { throw TypeError(text); }`),
    bootstrap: boot(`for (const text of ${JSON.stringify(texts)}) E(vats.a).greet(text);`),
  });
  t.is(run.failure, undefined);
  for (const text of texts) {
    const shown = text.slice(0, 60);
    t.true(
      run.errors.some(error => error.includes(`TypeError: ${shown}`)),
      shown,
    );
  }
});
