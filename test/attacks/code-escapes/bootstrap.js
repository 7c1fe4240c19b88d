// The ways out of a compartment that are in books: functions made from texts, constructors of all sorts of functions, sloppy
// code, callers, statics of regular expressions, breaking out of the text around a module, options of a compartment.
import { Far } from '@endo/far';

const hostNames = [
  'process',
  'require',
  'module',
  'Buffer',
  'global',
  'setTimeout',
  'setImmediate',
  'setInterval',
  'queueMicrotask',
  'fetch',
  'performance',
  'structuredClone',
  'WebSocket',
  'navigator',
  'Intl',
  'SharedArrayBuffer',
  'Atomics',
  'WebAssembly',
  'WeakRef',
  'FinalizationRegistry',
  'gc',
  'importScripts',
  'postMessage',
  'crypto',
  'localStorage',
  'BroadcastChannel',
  'MessageChannel',
  'Worker',
  'AsyncFunction',
  'GeneratorFunction',
  'DOMException',
  'EventTarget',
  'Event',
  'AbortController',
  'Blob',
  'Response',
  'File',
  'repairIntrinsics',
  'hardenIntrinsics',
  'getStackString',
  'require_',
];

const found = [];
const note = (what, value) => {
  if (value !== undefined && value !== null) found.push(what);
};
const attempt = (what, source) => {
  try {
    note(what, source());
  } catch {
    // Refused.
  }
};

const asyncFunction = async () => {};
const makers = {
  eval: text => (0, eval)(text),
  function: text => new Function(`return (${text})`)(),
  asyncFunction: text => asyncFunction.constructor(`return (${text})`) && undefined,
  generator: text =>
    Object.getPrototypeOf(function* () {})
      .constructor(`yield (${text})`)()
      .next().value,
  arrow: text => (() => {}).constructor(`return (${text})`)(),
  method: text => ({ m() {} }).m.constructor(`return (${text})`)(),
  class: text => class {}.constructor(`return (${text})`)(),
  bound: text => (() => {}).bind().constructor(`return (${text})`)(),
  host: text => console.log.constructor(`return (${text})`)(),
  far: text => Far.constructor(`return (${text})`)(),
  url: text => URL.constructor(`return (${text})`)(),
  harden: text => harden.constructor(`return (${text})`)(),
  symbolIterator: text => [][Symbol.iterator].constructor(`return (${text})`)(),
  compartment: text => new Compartment().evaluate(text),
  sloppy: text => new Compartment().evaluate(text, { sloppyGlobalsMode: true }),
  reflect: text => Reflect.construct(Function, [`return (${text})`], class {})(),
  parameters: text => new Function(`a = (${text})`, 'return a')(),
};

for (const [name, make] of Object.entries(makers)) {
  for (const each of hostNames)
    attempt(`${name}: ${each}`, () => make(`typeof ${each} === 'undefined' ? undefined : ${each}`));
  attempt(`${name}: this`, () => make('(function () { return this; })()'));
  attempt(`${name}: sloppy this`, () => make('Function("return this")().process'));
  attempt(`${name}: caller`, () => make('(function f() { return f.caller; })()'));
  attempt(`${name}: callee`, () => make('(function () { return arguments.callee; })()'));
  attempt(`${name}: with`, () => make('(function () { with ({ a: 1 }) return a; })()'));
  attempt(`${name}: new.target`, () => make('new.target'));
  attempt(`${name}: import.meta`, () => make('import.meta'));
  attempt(`${name}: html comment`, () => make('1 <!-- x\n'));
  attempt(`${name}: html close`, () => make('1\n--> x'));
  attempt(`${name}: break out`, () => make('1)}; process; ({a:(1'));
  attempt(`${name}: break out of a function`, () => make('1); }, process, function () { (1'));
}

const inspect = Symbol.for('nodejs.util.inspect.custom');
for (const each of [
  Object,
  Array,
  Function,
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  Promise,
  console,
  Compartment,
  HandledPromise,
])
  for (const at of [each, each.prototype]) attempt('inspect', () => at?.[inspect]);

attempt(
  'RegExp statics',
  () => (/(secret)/.exec('secret'), RegExp.$1 || RegExp.input || RegExp.lastMatch || undefined),
);
attempt('prepareStackTrace', () => {
  Error.prepareStackTrace = (_, sites) => sites;
  const { stack } = Error('x');
  return typeof stack === 'string' ? undefined : stack;
});
attempt('stack', () => Error('x').stack || undefined);
attempt('captureStackTrace', () => {
  const thing = {};
  Error.captureStackTrace(thing);
  return thing.stack || undefined;
});
attempt('engine stack', () => {
  try {
    null.x;
  } catch (error) {
    return error.stack || Object.getOwnPropertyDescriptor(error, 'stack')?.value || undefined;
  }
  return undefined;
});
attempt('legacy getters', () =>
  ({}).__lookupGetter__?.('__proto__').call.constructor('return process')(),
);
attempt('proto', () => ({}).__proto__.constructor.constructor('return process')());
attempt('valueOf', () => [].filter.constructor.prototype.constructor('return process')());
attempt('async caller', () => asyncFunction.caller);
attempt('arguments', () => harden.arguments);
attempt('tagged template', () =>
  (strings => strings.constructor.constructor)`x`('return process')(),
);
attempt('species', () => {
  class Mine extends Array {
    static get [Symbol.species]() {
      return function () {
        return this === undefined ? undefined : this;
      };
    }
  }
  return Mine.from([1]).map(x => x)?.process;
});
attempt('unscopables', () => {
  Object.defineProperty(globalThis, Symbol.unscopables, { value: { Compartment: true } });
  return Object.hasOwn(globalThis, Symbol.unscopables) ? 'set' : undefined;
});
for (const options of [
  { __evadeHtmlCommentTest__: true, __evadeImportExpressionTest__: true },
  { __moduleShimLexicals__: { process: 1 } },
  { strictMode: false },
])
  attempt('evasion', () =>
    new Compartment().evaluate('typeof process === "object" ? process : undefined', options),
  );
for (const options of [
  { globals: null },
  { importHook: specifier => ({ specifier }) },
  { loadNowHook: () => {} },
  { modules: { 'node:fs': { source: 'node:fs' } } },
])
  attempt('compartment', () => {
    const inner = new Compartment({
      __options__: true,
      resolveHook: specifier => specifier,
      ...options,
    });
    return inner.importNow('node:fs');
  });

export const buildRootObject = powers => {
  for (const [name, power] of Object.entries(powers))
    attempt(`power ${name}`, () => power?.constructor?.constructor?.('return process')());
  return Far('bootstrap', {
    bootstrap() {
      console.log(`found ${found.join(', ') || 'nothing'}`);
    },
  });
};
