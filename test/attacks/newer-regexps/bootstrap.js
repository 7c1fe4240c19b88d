// Regular expressions that only newer engines know, made of texts by every way that there is: what an engine makes of them
// goes into a message, and so into the hash. The same for symbols that are the language's own in newer engines only.
import { E, Far } from '@endo/far';

const patterns = [
  ...['(?i:a)', '(?-i:a)', '(?i-s:a)(', ')(?i:a)', '(?<n>A)|(?<n>a)', '(?:(?<n>a)|(?<\\u006e>b))'],
  ...['(?<n>(?<n>a))', '(?<n>a)|(?<n>', '[(?i:a)]', '\\(?i:a\\)', '(?<n>a)(?<m>b)?', '(?'],
];

const like = (source, more) => ({ [Symbol.match]: true, source, flags: '', ...more });
const overridden = (expression, key, text) =>
  Object.defineProperties(expression, {
    [key]: { value: undefined },
    toString: { value: () => text },
  });

const ways = {
  new: p => new RegExp(p),
  call: p => RegExp(p, 'gi'),
  wrongFlags: p => RegExp(p, 'zz'),
  sets: p => RegExp(p, 'v'),
  text: p => new RegExp({ toString: () => p }),
  like: p => new RegExp(like(p)),
  proxy: p => new RegExp(new Proxy(/x/, { get: (x, key) => (key === 'source' ? p : x[key]) })),
  changing: p => {
    let count = 0;
    return new RegExp({ toString: () => ((count += 1) > 1 ? p : 'a') }, { toString: () => 'g' });
  },
  subclass: p => new (class extends RegExp {})(p),
  reflected: p => Reflect.construct(RegExp, [p], class {}) && 'made',
  constructor: p => new /x/.constructor(p),
  species: p => RegExp[Symbol.species](p),
  inner: p => new new Compartment().globalThis.RegExp(p),
  evaluated: p => (0, eval)('RegExp')(p),
  literal: p => (0, eval)(`/${p}/`),
  match: p => 'A'.match(p),
  matchAll: p => [...'A'.matchAll(p)],
  search: p => 'A'.search(p),
  matchText: p => 'A'.match({ toString: () => p }),
  matchAllText: p => [...'A'.matchAll([p])],
  searchText: p => 'A'.search([p]),
  matchOverridden: p => 'A'.match(overridden(/x/, Symbol.match, p)),
  matchAllOverridden: p => [...'A'.matchAll(overridden(/x/g, Symbol.matchAll, p))],
  searchOverridden: p => 'A'.search(overridden(/x/, Symbol.search, p)),
  split: p => RegExp.prototype[Symbol.split].call({ flags: '', toString: () => p }, 'xAy'),
  splitLike: p => 'xAy'.split({ ...like(p), [Symbol.split]: RegExp.prototype[Symbol.split] }),
  splitSpecies: p =>
    RegExp.prototype[Symbol.split].call(
      like(p, { constructor: { [Symbol.species]: null } }),
      'xAy',
    ),
  splitBare: p => RegExp.prototype[Symbol.split].call(like(p, { constructor: undefined }), 'xAy'),
  all: p => [...RegExp.prototype[Symbol.matchAll].call({ flags: 'g', toString: () => p }, 'xAy')],
  allLike: p => [...RegExp.prototype[Symbol.matchAll].call(like(p), 'xAy')],
  compile: p => /x/.compile(p),
  replaceAll: p => 'A'.replaceAll(p, 'b'),
};

const attempt = (way, pattern) => {
  try {
    return String(way(pattern));
  } catch (error) {
    // The engine tells of methods that are not there in its own words.
    return `${error.name}: ${error instanceof SyntaxError ? error.message : ''}`;
  }
};

const symbols = () => [
  Reflect.ownKeys(Symbol).map(String).join(),
  String(Symbol.dispose),
  String(Symbol.asyncDispose),
  Symbol.for('nodejs.dispose') === Symbol.dispose,
  String(new Compartment().globalThis.Symbol.dispose),
  String(Object(Symbol('x')).constructor.dispose),
];

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(vats) {
      for (const [name, way] of Object.entries(ways)) {
        const texts = patterns.map(pattern => attempt(way, pattern));
        for (const text of texts) console.log(name, text);
        E(vats.bob).take(texts);
      }
      console.log('symbols', symbols().join('; '));
      E(vats.bob).take(symbols().map(String));
    },
  });
