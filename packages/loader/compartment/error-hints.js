// Hints for errors that newcomers to vats make: use of a clock, a call instead of a send to an object of another vat, a
// misspelt name. Hints are appended to an error that is shown to people; no vat gets them, so they may change without
// changing a run.

import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { didYouMean, findNearestName, quote } from '#model';

/** @import { Frame } from './error-report.js' */

/** Sources above this size are not read. */
const mostSourceBytes = 1_000_000;

/** Characters of a line that are read on one side of a place, since a line may have any length. */
const mostCharacters = 500;

/** No message that has a hint is longer. */
const longestMessage = 5_000;

const noClock = 'use the timer service, E(timerService).getCurrentTimestamp()';
const noTimers = 'use the timer service, E(timerService).delay(…)';
/** Remedies in a reaction, which has logical time and no promises. @type {Map<string, string>} */
const ofReactors = new Map([
  [noClock, 'use this.util.getCurrentLogicalTime() of the reactor'],
  [
    noTimers,
    'use a timer of the reactor, this.timer(offset, period), or schedule an action, this.action()',
  ],
]);
const noRandomness = 'runs repeat; take random values as parameters, arguments or from a device';
const noNetwork = 'let the host program or a device ask, and send the vat what comes';
const notInVats = 'it has the language, console, harden, and what it imports or is given';

/** Globals of Node and browsers, with a substitute. @type {Map<string, string>} */
const missingGlobals = new Map([
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'].map(
    name => /** @type {const} */ ([name, noTimers]),
  ),
  ['queueMicrotask', 'use Promise.resolve().then(…)'],
  ['performance', noClock],
  ['crypto', noRandomness],
  ['process', 'arguments behind "--" are vatParameters.argv, and the config has "parameters"'],
  ['require', 'import modules at the top of the file'],
  ...['module', 'exports'].map(name => /** @type {const} */ ([name, 'use export'])),
  ['global', 'use globalThis, or better a variable of the module'],
  ['Intl', 'what it says differs between machines; write texts by hand'],
  ['Temporal', noClock],
  ...['Float32Array', 'Float64Array'].map(
    name => /** @type {const} */ ([name, 'use an array of numbers, or a DataView']),
  ),
  ['Buffer', 'use Uint8Array and TextEncoder'],
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'].map(
    name => /** @type {const} */ ([name, noNetwork]),
  ),
  ...['WeakRef', 'FinalizationRegistry'].map(
    name =>
      /** @type {const} */ ([name, 'it may not see when objects are collected; use a WeakMap']),
  ),
  ...'window document navigator localStorage sessionStorage structuredClone AbortController alert gc Worker'
    .split(' ')
    .map(name => /** @type {const} */ ([name, notInVats])),
  ...['SharedArrayBuffer', 'Atomics', 'WebAssembly'].map(
    name => /** @type {const} */ ([name, notInVats]),
  ),
]);

/** Prefix of an error that a reaction threw. */
const ofReaction = /^\S+ failed at \S+: /;

/** The imports of names that newcomers forget to import. @type {Map<string, string>} */
const imports = new Map([
  ...['E', 'Far'].map(name => /** @type {const} */ ([name, `import { ${name} } from '@endo/far'`])),
  ['D', 'a vat is given it, buildRootObject({ D })'],
  ['makePromiseKit', "import { makePromiseKit } from '@endo/promise-kit'"],
  ['M', "import { M } from '@endo/patterns'"],
  ...['makeExo', 'defineExoClass', 'defineExoClassKit'].map(
    name => /** @type {const} */ ([name, `import { ${name} } from '@endo/exo'`]),
  ),
]);

/** Names of virtual data in 2021, with those of today. @type {Map<string, string>} */
const oldNames = new Map([
  ['makeKind', 'defineKind'],
  ['makeDurableKind', 'defineDurableKind'],
  ['makeVirtualScalarWeakMap', 'makeScalarBigWeakMapStore'],
  ['makeWeakStore', 'makeScalarBigWeakMapStore'],
]);

/** @param {string} name @returns {string | undefined} */
const renamed = name => {
  const now = oldNames.get(name);
  return now && `it has another name and other arguments today, VatData.${now}(…)`;
};

const notExtensible =
  'what vats share is frozen: globals, built-in objects and all that was passed; keep it in a variable of the module, or change a copy';

/** A cache of the source that was read last: a vat that fails repeatedly fails in one file. */
let latest = { url: '', lines: [''] };

/** @param {string} url @returns {string[]} empty if the file cannot be read */
const readLines = url => {
  if (url === latest.url) return latest.lines;
  /** @type {string[]} */
  let lines = [];
  try {
    const file = fileURLToPath(url);
    const found = statSync(file);
    // A vat can choose the name of its source, so never read a device or a pipe.
    if (found.isFile() && found.size <= mostSourceBytes)
      lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    // Without the source there is no hint.
  }
  latest = { url, lines };
  return lines;
};

/**
 * The part of a source line before a place; empty if it is not known.
 *
 * @param {Frame | undefined} frame
 */
const readBefore = frame => {
  if (frame === undefined || !frame.url.startsWith('file:')) return '';
  const line = readLines(frame.url)[frame.line - 1] ?? '';
  return line.slice(Math.max(0, frame.column - 1 - mostCharacters), frame.column - 1);
};

/**
 * The part of a source line from a place on; empty if it is not known.
 *
 * @param {Frame | undefined} frame
 */
const readAfter = frame => {
  if (frame === undefined || !frame.url.startsWith('file:')) return '';
  const line = readLines(frame.url)[frame.line - 1] ?? '';
  return line.slice(frame.column - 1, frame.column - 1 + mostCharacters);
};

/**
 * Say that an expression is undefined; for a property of `vats` or `devices`, that the config has no such name.
 *
 * @param {string} expression
 */
const describeUndefined = expression => {
  const [, kind, name] = /^(?:\w+\.)?(vat|device)s\.(\w+)$/.exec(expression) ?? [];
  return kind === undefined
    ? `${expression} is undefined`
    : `${expression} is undefined: no ${kind} of the config is called ${quote(name)}`;
};

/** @param {string} instead @param {boolean} isOfReaction */
const remedy = (instead, isOfReaction) =>
  (isOfReaction ? ofReactors.get(instead) : undefined) ?? instead;

/** @param {string} name @param {boolean} isOfReaction @returns {string | undefined} */
const lacks = (name, isOfReaction) => {
  const instead = missingGlobals.get(name);
  return instead === undefined
    ? (imports.get(name) ?? renamed(name))
    : `a vat has no ${name}; ${remedy(instead, isOfReaction)}`;
};

/** @param {string} list  JSON from a message that a vat may have forged @returns {string[]} */
const readNames = list => {
  try {
    return JSON.parse(list).filter((/** @type {unknown} */ name) => typeof name === 'string');
  } catch {
    return [];
  }
};

/** @param {string} method @param {string} list @param {Frame} [frame]  where the message is sent */
const suggestMethod = (method, list, frame) => {
  const methods = readNames(list);
  if (method === 'bootstrap' && list !== '[]')
    return "the config's first vat is sent bootstrap(vats, devices), with the root objects of all vats";
  const [, name] = /\bE\(['"]([\w$]+)['"]\)\.$/.exec(readBefore(frame)) ?? [];
  if (name !== undefined)
    return `E() takes the object and not its name, as E(vats.${name}).${method}(…) in bootstrap(vats)`;
  if (['apply', 'bind', 'call'].every(name => methods.includes(name)))
    return `it is a function: a method is called with its parentheses, E(E(…).method()).${method}(…)`;
  const nearest = findNearestName(method, methods);
  if (nearest !== undefined) return `did you mean ${nearest}()?`;
  if (methods.length === 1 && methods[0] === '__getMethodNames__')
    return 'it has no methods; Far(name, {methods}) takes them second';
  if (list !== '[]') return undefined;
  return `a device is called by D(device).${method}(…), and data takes no messages`;
};

/** The names of `vatPowers`. */
const powers = ['D', 'exitVat', 'exitVatWithFailure', 'testLog', 'transformTildot'];

/** The names of `this.util` in a reactor. */
const utilities = [
  ...['requestStop', 'getCurrentTag', 'getElapsedLogicalTime', 'getElapsedPhysicalTime'],
  ...['getStartTime', 'getCurrentLogicalTime', 'getCurrentPhysicalTime', 'checkDeadline'],
  ...['requestErrorStop', 'reportError'],
];

/** @param {string} holder @param {string} name @param {readonly string[]} known */
const suggestOf = (holder, name, known) =>
  `${holder} has ${known.slice(0, -1).join(', ')} and ${known.at(-1)}${didYouMean(name, known)}`;

/**
 * The place and circumstance of an error, and whether a reaction threw it.
 *
 * @typedef {{ frame: Frame | undefined, circumstance: string | undefined, isOfReaction: boolean }} Seen
 */

/**
 * Patterns of messages, each with a function from its groups to a hint.
 *
 * @type {readonly [pattern: RegExp, suggest: (found: string[], seen: Seen) => string | undefined][]}
 */
const hints = [
  [
    /^secure mode Calling (?:new )?%SharedDate%/,
    (_, { isOfReaction }) => `a vat has no clock; ${remedy(noClock, isOfReaction)}`,
  ],
  [/^secure mode %SharedMath%\.random\(\)/, () => `a vat has no randomness: ${noRandomness}`],
  [
    /^(\w+) is not (?:a function|a constructor|defined)$/,
    ([name], { isOfReaction }) => lacks(name, isOfReaction),
  ],
  [
    /^console\.\w+ is not a function$/,
    () => "a vat's console has debug, log, info, warn and error",
  ],
  [
    /^E\(\.\.\.\)\.([\w$]+)\.([\w$]+) is not a function$/,
    ([name, method], { frame }) => {
      const [, target = '…'] = /\bE\(([\w$.]+)\)\.[\w$]+\.$/.exec(readBefore(frame)) ?? [];
      return `E() takes what the message goes to: E(${target}.${name}).${method}(…)`;
    },
  ],
  [
    /^E\(\.\.\.\)\.([\w$]+)\(\.\.\.\)\.([\w$]+) is not a function$/,
    ([name, method]) =>
      `the answer is a promise; send to what it will be: E(E(…).${name}(…)).${method}(…)`,
  ],
  [
    /^E\.([\w$]+) is not a function$/,
    ([name]) => suggestOf('E', name, ['get', 'resolve', 'sendOnly', 'when']),
  ],
  [/^this\.util\.([\w$]+) is not a function$/, ([name]) => suggestOf('this.util', name, utilities)],
  [/^vatPowers\.([\w$]+) is not a function$/, ([name]) => suggestOf('vatPowers', name, powers)],
  [
    /^VatData\.([\w$]+) is not a function$/,
    ([name]) => renamed(name) ?? 'Object.keys(VatData) lists what it has',
  ],
  [
    /^((?:\w+\.)?vats\.\w+) is not a function$/,
    ([target]) => `a message names its method: E(${target}).METHOD(…)`,
  ],
  [
    /^D\(\) must be given a device node$/,
    (_, { frame }) => {
      const [, expression = 'its argument'] = /\bD\(([\w$.]+)\)/.exec(readAfter(frame)) ?? [];
      return `${expression} is none; bootstrap(vats, devices) is given those of the config, as devices.NAME`;
    },
  ],
  [
    /^Remotable .* is already marked as a /s,
    () => 'Far() declares an object once; pass on what it returned',
  ],
  [
    /^data is not callable, has no method /,
    () => 'what the message goes to has come to plain data, which takes no messages; await it',
  ],
  [/^Cannot mix BigInt and other types/, () => 'write 1n, or convert by BigInt(…) or Number(…)'],
  [
    /^Do not know how to serialize a BigInt$/,
    () => 'JSON has no bigint; write it as text by String(…), or pass the value itself',
  ],
  [
    /^(?:vat .* was ended: )?buildRootObject unresolved/,
    () => 'a root object with a method then() is taken for a promise, too',
  ],
  [
    /^((?:\w+\.)?devices\.\w+)\.(\w+) is not a function$/,
    ([device, method]) => `a device is called by D(${device}).${method}(…)`,
  ],
  [
    /^([a-z_$][\w$]*(?:\.[\w$]+)*)\.([\w$]+) is not a function$/,
    ([target, method], { isOfReaction }) =>
      isOfReaction
        ? undefined
        : `did you forget E()? An object of another vat is sent to by E(${target}).${method}(…)`,
  ],
  [
    /^Cannot read properties of undefined \(reading '[^']*'\)$/,
    (_, { frame, isOfReaction }) => {
      const [, expression] = /([\w$]+(?:\.[\w$]+)*)\??\.$/.exec(readBefore(frame)) ?? [];
      if (expression === undefined || expression === 'undefined') return undefined;
      return lacks(expression, isOfReaction) ?? describeUndefined(expression);
    },
  ],
  [
    /^Cannot set properties of undefined \(setting '[^']*'\)$/,
    (_, { frame, isOfReaction }) => {
      const [, expression] = /([\w$]+(?:\.[\w$]+)*)\.(?:[\w$]+\s*)?$/.exec(readBefore(frame)) ?? [];
      if (expression === undefined) return undefined;
      return lacks(expression, isOfReaction) ?? describeUndefined(expression);
    },
  ],
  [
    /^Cannot deliver "[^"]*" to target; typeof target is "(?:undefined|null)"$/,
    (_, { frame }) => {
      const [, expression] = /\bE\(([\w$.]+)\)\.$/.exec(readBefore(frame)) ?? [];
      return expression === undefined
        ? 'E() was given nothing; there is no such vat, or its promise came to nothing'
        : describeUndefined(expression);
    },
  ],
  [
    /^Cannot invoke target as a function; typeof target is "(?:undefined|null)"$/,
    (_, { frame }) => {
      const [, target = 'target', method = 'method'] =
        /\bE\(([\w$.]+)\.([\w$]+)\)$/.exec(readBefore(frame)) ?? [];
      return `a message is sent by E(${target}).${method}(…)`;
    },
  ],
  [
    /^Cannot add property (.*), object is not extensible$/s,
    ([name], { frame }) =>
      /\bstate\.[\w$]+\s*$/.test(readBefore(frame))
        ? `the state of a virtual object has the fields that its init function returns, and no ${quote(name)}`
        : notExtensible,
  ],
  [/^Cannot assign to read only property /, () => notExtensible],
  [/^Cannot delete property /, () => notExtensible],
  [
    /^Class constructor buildRootObject cannot be invoked without 'new'$/,
    () => 'buildRootObject is a function that returns Far(name, {methods})',
  ],
  [
    /^Class constructor buildReactor cannot be invoked without 'new'$/,
    () => 'buildReactor is a function that returns an instance of the class',
  ],
  [
    /^cannot serialize Remotables with (?:non-methods|accessors) like /,
    (_, { circumstance }) =>
      circumstance === undefined
        ? 'Far(name, {methods}) takes methods; data is kept in variables beside it'
        : undefined,
  ],
  [
    /^For now, remotables cannot inherit from anything unusual/,
    () =>
      'Far(name, {methods}) takes no instance of a class; defineExoClass() of @endo/exo makes many alike',
  ],
  [
    /^Far functions unexpected properties besides /,
    () => 'Far(name, {methods}) takes no class; defineExoClass() of @endo/exo makes many alike',
  ],
  [
    /^cannot serialize arrays as Remotable/,
    () => 'Far(name, {methods}) takes methods; an array is passed as it is',
  ],
  [
    /^cannot serialize non-objects as Remotable/,
    () => 'the name comes first: Far(name, {methods})',
  ],
  [
    /^Cannot define property __getMethodNames__, object is not extensible$/,
    () => 'Far(name, {methods}) takes an object that is not frozen yet, and freezes it',
  ],
  [
    /^Passable Error ".*" own property must not be enumerable/s,
    () => 'an error passes its name and its message; pass a record beside it',
  ],
  [
    /^value is not durable: /,
    () =>
      'the store keeps data, and objects of durable kinds: prepareExo(baggage, …), or VatData.defineDurableKind(…)',
  ],
  [/^unknown handle /, () => 'VatData.makeKindHandle(name) gives the handle of a durable kind'],
  [
    /^Cannot pass non-frozen objects like /,
    () => 'functions, a Map, a Set and a Date cannot be passed even so',
  ],
  [
    /^Only registered symbols or well-known symbols are passable/,
    () => 'make it by Symbol.for(name)',
  ],
  [
    /^Pass-by-copy data cannot be cyclic /,
    () =>
      'pass data without rings; what refers to each other can be objects by Far(name, {methods})',
  ],
  [
    /^"[^"]*" must not be an accessor property/,
    () => 'data has values: copy it by {...it}, and getters become values',
  ],
  [
    /^target has no method "([^"]*)", has (\[.*\])$/s,
    ([name, list], { frame }) => suggestMethod(name, list, frame),
  ],
  [
    /^target\["([^"]*)"\] does not exist, has (.*)$/s,
    ([name, list]) => suggestMethod(name, JSON.stringify(list === '' ? [] : list.split(','))),
  ],
];

/**
 * The hint for an error of a vat.
 *
 * @param {{ message: string, frames: readonly Frame[], circumstance?: string | undefined }} report
 * @returns {string | undefined}
 */
export const findHint = ({ message, frames, circumstance }) => {
  if (message.length > longestMessage) return undefined;
  const own = message.replace(ofReaction, '');
  const isOfReaction = own !== message;
  for (const [pattern, suggest] of hints) {
    const found = pattern.exec(own);
    if (found !== null)
      return suggest(found.slice(1), { frame: frames[0], circumstance, isOfReaction });
  }
  return undefined;
};
