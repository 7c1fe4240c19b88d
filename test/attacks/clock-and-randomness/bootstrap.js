// A vat looks for time, randomness and facts of the machine: clocks, locales, bits of a NaN, the text of the system's own
// functions, orders that hashing decides.
import { E, Far } from '@endo/far';

const attempt = source => {
  try {
    return source();
  } catch (error) {
    return `${error.name}`;
  }
};

const bitsOfNaN = () => {
  const bits = new Set();
  const floats = new Float64Array(1);
  const words = new Uint32Array(floats.buffer);
  for (let i = 0; i < 20_000; i += 1) {
    floats[0] = [
      NaN,
      0 / 0,
      Math.sqrt(-i - 1),
      Infinity - Infinity,
      Number('x'),
      -NaN,
      0 * Infinity,
    ][i % 7];
    bits.add(words[1].toString(16) + words[0].toString(16));
  }
  return [...bits].join();
};

const sources = {
  now: () => Date.now(),
  newDate: () => new Date().getTime(),
  dateCall: () => Date(),
  dateOfReflect: () => Reflect.construct(Date, []).getTime(),
  dateOfArray: () => new Date(...[]).getTime(),
  innerDate: () => new new Compartment().globalThis.Date().getTime(),
  innerNow: () => new Compartment().evaluate('Date.now()'),
  constructorOfDate: () => new (Object.getPrototypeOf(new Date(0)).constructor)().getTime(),
  random: () => Math.random(),
  innerRandom: () => new Compartment().evaluate('Math.random()'),
  temporal: () => typeof Temporal === 'object' && typeof Temporal.Now,
  locale: () =>
    [
      (1234.5).toLocaleString(),
      (10n ** 9n).toLocaleString(),
      [1234.5].toLocaleString(),
      'a'.localeCompare('B'),
      'ä'.localeCompare('z', 'sv'),
      'i'.toLocaleUpperCase('tr'),
      'I'.toLocaleLowerCase('tr'),
    ].join(),
  localeDate: () => new Date(0).toLocaleString('de-DE', { timeZone: 'Asia/Tokyo' }),
  sort: () => ['z', 'ä', 'a', 'Z'].sort((left, right) => left.localeCompare(right)).join(),
  nan: bitsOfNaN,
  endian: () => new Uint8Array(new Uint16Array([1]).buffer)[0],
  weak: () => typeof WeakRef + typeof FinalizationRegistry,
  hash: () =>
    [...new Set(['b', 'a', 2, 1])].join() + Object.keys({ b: 1, a: 1, 2: 1, 1: 1 }).join(),
  forIn: () => {
    const keys = [];
    for (const key in { __proto__: { p: 1 }, b: 1, 1: 1 }) keys.push(key);
    return keys.join();
  },
  dateText: () => new Date(0).toISOString() + new Date(8.64e15).toISOString(),
  parse: () =>
    ['2020-01-01', '2020-01-01T00:00:00Z', '1 Jan 2020 UTC', 'x']
      .map(text => Date.parse(text))
      .join(),
  symbols: () => Reflect.ownKeys(Symbol).map(String).join(),
  globals: () => Reflect.ownKeys(globalThis).map(String).sort().join(),
  errorKeys: () => Reflect.ownKeys(Error).map(String).sort().join(),
  errorText: () => {
    try {
      null.x;
    } catch (error) {
      return Reflect.ownKeys(error).map(String).sort().join();
    }
    return '';
  },
  unicode: () =>
    ['\u{1fae8}', 'ß', '\u0130', 'ŉ']
      .map(text => `${text.toUpperCase()}${text.toLowerCase()}${text.normalize('NFKD')}`)
      .join(),
};

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(vats) {
      for (const [name, source] of Object.entries(sources))
        console.log(`${name}: ${attempt(source)}`);
      return E(vats.alice).tell(Object.values(sources).map(source => `${attempt(source)}`));
    },
  });
