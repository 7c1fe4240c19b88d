// Before lockdown, which replaces them.
const EngineRegExp = RegExp;
const { match, matchAll, search } = String.prototype;
const { [Symbol.matchAll]: matchAllWith, [Symbol.split]: splitWith } = RegExp.prototype;
/** @type {Record<PropertyKey, any>} */
const engineMethods = {
  exec: RegExp.prototype.exec,
  test: RegExp.prototype.test,
  [Symbol.match]: RegExp.prototype[Symbol.match],
  [Symbol.replace]: RegExp.prototype[Symbol.replace],
  [Symbol.search]: RegExp.prototype[Symbol.search],
  [Symbol.split]: splitWith,
};

const { default: test } = await import('ava');
const { default: fc } = await import('fast-check');
const { makeVatCompartment } = await import('../compartment/index.js');
const { ensureLockdown } = await import('../lockdown.js');

/** @type {any} */
let vat;
/** @type {any} */
let ours;
test.before(async () => {
  await ensureLockdown();
  vat = makeVatCompartment({ name: 'x' }).globalThis;
  const texts = vat.String.prototype;
  const expressions = vat.RegExp.prototype;
  ours = {
    new: (/** @type {unknown[]} */ ...args) => Reflect.construct(vat.RegExp, args),
    call: vat.RegExp,
    match: texts.match,
    matchAll: texts.matchAll,
    search: texts.search,
    matchAllWith: expressions[Symbol.matchAll],
    splitWith: expressions[Symbol.split],
  };
});

/** @type {Record<string, any>} */
const engine = {
  new: (/** @type {unknown[]} */ ...args) => Reflect.construct(EngineRegExp, args),
  call: EngineRegExp,
  ...{ match, matchAll, search, matchAllWith, splitWith },
};

/** @param {string} source */
const evaluate = source => vat.eval(source);

const routes = [
  'new RegExp(p)',
  'RegExp(p)',
  "new RegExp(p, 'u')",
  'new RegExp({ toString: () => p })',
  'new RegExp([p])',
  "new RegExp({ [Symbol.match]: true, source: p, flags: 'g' })",
  'RegExp({ [Symbol.match]: true, source: p, flags: "", constructor: Object })',
  "new RegExp(new Proxy(/x/, { get: (_, key) => (key === 'source' ? p : key === 'flags' ? '' : _[key]) }))",
  'new (class extends RegExp {})(p)',
  'Reflect.construct(RegExp, [p], Object)',
  'Reflect.apply(RegExp, undefined, [p])',
  'new (/x/.constructor)(p)',
  'new (RegExp[Symbol.species])(p)',
  'new (new Compartment().globalThis.RegExp)(p)',
  "new Compartment().evaluate('p => RegExp(p)')(p)",
  "'a'.match(p)",
  "'a'.matchAll(p)",
  "'a'.search(p)",
  "'a'.match({ toString: () => p })",
  "'a'.matchAll({ toString: () => p })",
  "'a'.search([p])",
  "'a'.match(Object.defineProperties(/x/, { [Symbol.match]: { value: undefined }, toString: { value: () => p } }))",
  "'a'.matchAll(Object.defineProperties(/x/g, { [Symbol.matchAll]: { value: null }, toString: { value: () => p } }))",
  "'a'.search(Object.defineProperties(/x/, { [Symbol.search]: { value: null }, toString: { value: () => p } }))",
  "RegExp.prototype[Symbol.split].call({ flags: '', toString: () => p }, 'xay')",
  "RegExp.prototype[Symbol.split].call({ flags: '', constructor: undefined, toString: () => p }, 'xay')",
  "RegExp.prototype[Symbol.split].call({ flags: '', constructor: { [Symbol.species]: null }, toString: () => p }, 'xay')",
  "RegExp.prototype[Symbol.split].call({ flags: '', constructor: RegExp, [Symbol.match]: 1, source: p }, 'xay')",
  "RegExp.prototype[Symbol.matchAll].call({ flags: 'g', toString: () => p }, 'xay')",
  "RegExp.prototype[Symbol.matchAll].call({ flags: '', constructor: undefined, [Symbol.match]: 1, source: p }, 'xay')",
];

test('every way to make an expression from a string refuses syntax that Node 20 lacks', t => {
  const told = /^Invalid regular expression: \/\(\?.*\/[gimsuvy]*: (.*)$/s;
  for (const route of routes) {
    const attempt = evaluate(`p => ${route}`);
    /** @param {string} pattern @param {string} reason */
    const refuse = (pattern, reason) => {
      const error = t.throws(() => attempt(pattern), { instanceOf: SyntaxError }, route);
      t.is(told.exec(error?.message ?? '')?.[1], reason, `${route} ${error?.message}`);
    };
    refuse('(?i:a)', 'Invalid group');
    refuse('(?-i:a)', 'Invalid group');
    refuse('(?i:a)(', 'Invalid group');
    refuse('(?<a>a)|(?<a>b)', 'Duplicate capture group name');
    refuse('(?<a>a)|(?<\\u0061>b)', 'Duplicate capture group name');
    t.notThrows(() => attempt('(?:a)|(?<b>c)[(?i:]'), route);
  }
});

test('the error is that of the first mistake in a pattern, as on Node 20', t => {
  const tell = evaluate(
    '(p, f) => { try { RegExp(p, f); } catch (error) { return error.message; } }',
  );
  t.is(tell(')(?i:a)', ''), "Invalid regular expression: /)(?i:a)/: Unmatched ')'");
  t.is(tell('(?i:a)', 'zz'), "Invalid flags supplied to RegExp constructor 'zz'");
  t.is(tell('a/(?i:\n', 'ug'), 'Invalid regular expression: /a/(?i:\n/gu: Invalid group');
  t.is(
    tell('[(](?i:a)', 'v'),
    'Invalid regular expression: /[(](?i:a)/v: Invalid character in character class',
  );
  // Mistakes that depend on the groups after them.
  t.is(
    tell('[\\k<n>](?i:(?<n>a))', ''),
    'Invalid regular expression: /[\\k<n>](?i:(?<n>a))/: Invalid escape',
  );
  t.is(tell('\\2(?i:(a)(b))', 'u'), 'Invalid regular expression: /\\2(?i:(a)(b))/u: Invalid group');
});

/** Parts of patterns, some of which are newer. */
const parts = [
  'a',
  '(',
  ')',
  '(?:',
  '(?=',
  '(?<!',
  '(?<n>',
  '(?<m>',
  '|',
  '[',
  ']',
  '\\',
  '\\(',
  '*',
  '{2}',
  '^',
  '-',
  '\\k<n>',
  '/',
  '\n',
];
const flags = fc.constantFrom(undefined, '', 'g', 'iu', 'v', 'y', 'gg', 'sd');

/** @param {any} from @param {string} way @param {unknown} self @param {unknown[]} args */
const tryWay = (from, way, self, args) => {
  try {
    const result = Reflect.apply(from[way], self, args);
    if (result === null || typeof result !== 'object') return result;
    if (result instanceof EngineRegExp) return ['made', String(result), result.lastIndex];
    return Array.from(result, each => (Array.isArray(each) ? [...each] : each));
  } catch (error) {
    // The engine's error names the class of the object with the wrong method, which a stand-in lacks.
    const message = /** @type {Error} */ (error).message.replace(/(?<=of object ').*'/, "…'");
    return `${/** @type {Error} */ (error).name}: ${message}`;
  }
};

/** Node 20 refuses the same patterns itself. */
const isOldest = process.versions.node.startsWith('20.');

test("for other patterns the results and errors are the engine's", t => {
  const pattern = fc
    .array(fc.constantFrom(...parts, ...(isOldest ? ['(?i:', '(?', '(?<n>', '(?<\\u006e>'] : [])), {
      maxLength: 8,
    })
    .map(all => all.join(''))
    .filter(
      text =>
        isOldest ||
        (text.match(/\(\?<n>/g) ?? []).length + (text.match(/\(\?<m>/g) ?? []).length < 2,
    );
  fc.assert(
    fc.property(pattern, flags, fc.constantFrom('aab', '', 'a\n/b'), (text, flag, subject) => {
      for (const way of ['new', 'call'])
        t.deepEqual(
          tryWay(ours, way, undefined, [text, flag]),
          tryWay(engine, way, undefined, [text, flag]),
        );
      for (const way of ['match', 'matchAll', 'search'])
        t.deepEqual(tryWay(ours, way, subject, [text]), tryWay(engine, way, subject, [text]));
    }),
    { numRuns: 1500 },
  );
});

const keys = [
  'source',
  'flags',
  'constructor',
  'lastIndex',
  'toString',
  Symbol.toPrimitive,
  Symbol.match,
  Symbol.matchAll,
  Symbol.search,
];

/** Properties by which an object may override an expression's. @type {[string, any][]} */
const values = [
  ['source', 'a'],
  ['source', '(?:a)'],
  ['source', undefined],
  ['flags', 'g'],
  ['flags', ''],
  ['flags', undefined],
  ['flags', 'zz'],
  ['constructor', undefined],
  ['constructor', 1],
  ['constructor', { [Symbol.species]: undefined }],
  ['constructor', { [Symbol.species]: () => {} }],
  ['constructor', { [Symbol.species]: 5 }],
  ['lastIndex', 1],
  ['toString', () => 'b'],
  ['match', undefined],
  ['match', null],
  ['match', true],
  ['match', 5],
  ['match', () => 'matched'],
  ['matchAll', undefined],
  ['matchAll', null],
  ['matchAll', 5],
  ['matchAll', () => 'all'],
  ['search', null],
  ['search', () => 'found'],
];

test('properties of an object that stands for an expression are read in the order of the language', t => {
  const object = fc.uniqueArray(fc.constantFrom(...values), { selector: ([name]) => name });
  fc.assert(
    fc.property(
      object,
      fc.boolean(),
      flags,
      fc.constantFrom('xab', undefined, Symbol('s')),
      (given, isExpression, flag, subject) => {
        /** @param {any} from @param {string} way */
        const trace = (from, way) => {
          /** @type {string[]} */
          const log = [];
          const like = isExpression ? /b/g : Object.create({ toString: () => 'a' });
          /** @param {string} text @param {any} value */
          const logged = (text, value) => {
            log.push(text);
            return value;
          };
          for (const [name, value] of given) {
            const key = keys.find(each => String(each) === `Symbol(Symbol.${name})`) ?? name;
            if (isExpression && key === 'lastIndex') continue;
            Object.defineProperty(like, key, {
              get: () => logged(String(key), value),
              configurable: true,
            });
          }
          const seen = isExpression
            ? like
            : new Proxy(like, {
                get: (all, key) => logged(`get ${String(key)}`, Reflect.get(all, key)),
              });
          const flagsLike =
            flag === undefined ? undefined : { toString: () => logged('flags', flag) };
          const text =
            typeof subject === 'string' ? { toString: () => logged('text', subject) } : subject;
          const isOfExpression = way.endsWith('With');
          const args = isOfExpression
            ? [text]
            : way === 'new' || way === 'call'
              ? [seen, flagsLike]
              : [seen];
          return [tryWay(from, way, isOfExpression ? seen : text, args), log];
        };
        for (const way of Object.keys(engine)) {
          // The shared constructor is a replacement of the engine's, which this run compares with.
          if (way === 'call' && isExpression && given.every(([name]) => name !== 'constructor'))
            continue;
          t.deepEqual(trace(ours, way), trace(engine, way), way);
        }
      },
    ),
    { numRuns: 1500 },
  );
});

/** The methods that search, as the engine has them, and the ways to call one. */
const searches = fc.constantFrom(
  'exec',
  'test',
  ...[Symbol.match, Symbol.replace, Symbol.search, Symbol.split],
);

test('methods that search give what the engine gives, and call the same code of a vat', t => {
  fc.assert(
    fc.property(
      searches,
      flags,
      fc.constantFrom('own', 'undefined', 'null', 'number', 'calls', 'plain', 'none'),
      fc.constantFrom('aab', '', 'bab', { toString: () => 'ab' }),
      fc.constantFrom('x', '[$&]', () => 'y', undefined),
      fc.nat({ max: 3 }),
      (key, flag, exec, text, replacement, lastIndex) => {
        /** @param {Record<PropertyKey, any>} methods */
        const run = methods => {
          /** @type {unknown[]} */
          const log = [];
          try {
            const expression = exec === 'none' ? {} : new EngineRegExp('a(b)?', flag);
            /** @type {Record<string, unknown>} */
            const values = {
              undefined,
              null: null,
              number: 5,
              plain: () => 1,
              calls(/** @type {string} */ given) {
                log.push(given);
                return methods.exec.call(this, given);
              },
            };
            if (exec in values) Object.defineProperty(expression, 'exec', { value: values[exec] });
            if ('lastIndex' in expression) expression.lastIndex = lastIndex;
            const found = methods[/** @type {string} */ (key)].call(expression, text, replacement);
            log.push(found, found?.index, found?.groups, Object(expression).lastIndex);
          } catch (error) {
            log.push(String(error));
          }
          return log;
        };
        t.deepEqual(run(vat.RegExp.prototype), run(engineMethods), `${String(key)} ${exec}`);
      },
    ),
    { numRuns: 2000 },
  );
});

test('methods that search look like those of the engine', t => {
  for (const key of Reflect.ownKeys(engineMethods)) {
    const engineMethod = engineMethods[key];
    const method = vat.RegExp.prototype[key];
    t.deepEqual([method.name, method.length], [engineMethod.name, engineMethod.length]);
    t.false('prototype' in method);
  }
  const { next } = Object.getPrototypeOf('a'.matchAll(/a/g));
  t.deepEqual([next.name, next.length], ['next', 0]);
  t.deepEqual(
    [...'abab'.matchAll(/a(b)/g)].map(({ index, 1: group }) => [index, group]),
    [
      [0, 'b'],
      [2, 'b'],
    ],
  );
  t.throws(() => next.call({}), { instanceOf: TypeError });
});

test('the constructor is like that of the engine', t => {
  t.deepEqual(
    evaluate(`[
      RegExp.length, RegExp.name, RegExp[Symbol.species] === RegExp, /x/ instanceof RegExp, RegExp('x') instanceof RegExp,
      /x/.constructor === RegExp, RegExp(RegExp.prototype.constructor('x')).source, new RegExp() + '', new RegExp(undefined, undefined) + '',
      (re => RegExp(re) === re)(/x/g), (re => RegExp(re, 'g') === re)(/x/g), (re => new RegExp(re) === re)(/x/g),
      (re => RegExp(re) === re)({ [Symbol.match]: 1, constructor: RegExp }), String(new RegExp(/x/g, 'i')),
      (class P extends RegExp { both() { return this.test('x'); } }).name, new (class extends RegExp { both() { return this.test('x'); } })('x').both(),
      Object.getPrototypeOf(Reflect.construct(RegExp, ['x'], Array)) === Array.prototype,
      'match' in ''.match, ''.match.name, ''.matchAll.length, /x/[Symbol.split].name, /x/[Symbol.split].length, typeof ''.match.prototype,
    ].join()`),
    '2,RegExp,true,true,true,true,x,/(?:)/,/(?:)/,true,false,false,true,/x/i,P,true,true,false,match,1,[Symbol.split],2,undefined',
  );
});

test('a host program can make every expression that its engine knows', t => {
  const attempt = (/** @type {any} */ Class) => {
    try {
      return String(new Class('(?i:a)'));
    } catch (error) {
      return String(error);
    }
  };
  t.is(attempt(RegExp), attempt(EngineRegExp));
  t.true(/x/ instanceof RegExp);
  t.true(Object.isFrozen(RegExp));
});

test('an expression made of a text has a bounded number of parts and levels, by every route', t => {
  const inCase = (/** @type {string} */ route, /** @type {string} */ made) =>
    evaluate(`(() => {
      const p = ${made};
      try {
        ${route};
        return 'made';
      } catch (error) {
        return error.name + ': ' + error.message;
      }
    })()`);
  const told = 'SyntaxError: a regular expression has 2001 parts in a row; 2000 are the most';
  const toldDeep =
    'SyntaxError: a regular expression has groups nested 41 deep; 40 levels are the most';
  for (const route of routes) {
    t.is(inCase(route, `'(?:a)??'.repeat(800)`), 'made', route);
    t.is(inCase(route, `'\\\\b'.repeat(2001)`), told, route);
    t.is(inCase(route, `'\\\\b|'.repeat(2001)`), 'made', route);
    // Alternatives are not in a row, and escaped characters are no parts.
    t.is(inCase(route, `'a|[(?*+{]|\\\\(|'.repeat(400)`), 'made', route);
    t.is(inCase(route, `'(?:a|b'.repeat(40) + ')*?'.repeat(40)`), 'made', route);
    t.is(inCase(route, `'(?:a|b'.repeat(41) + ')*?'.repeat(41)`), toldDeep, route);
    t.is(inCase(route, `'(a[)])(b'.repeat(41) + ')'.repeat(41)`), toldDeep, route);
    t.is(inCase(route, `'(a)[(]'.repeat(100)`), 'made', route);
  }
});

test('whether a vat can make an expression does not depend on the stack', t => {
  const deep = {
    groups: "'('.repeat(n) + ')'.repeat(n)",
    starred: "'(?:'.repeat(n) + 'b' + ')*'.repeat(n)",
  };
  for (const [name, pattern] of Object.entries(deep))
    for (const levels of [20_000, 100_000])
      t.throws(
        () => evaluate(`((n) => RegExp(${pattern}).test('b'))(${levels})`),
        { name: 'SyntaxError', message: /are the most$/ },
        name,
      );
});
