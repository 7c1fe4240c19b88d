import test from 'ava';
import { createHash } from 'node:crypto';
import fc from 'fast-check';

import { makeVatCompartment } from '../compartment/index.js';
import { ensureLockdown } from '../lockdown.js';

test.before(() => ensureLockdown());

/** @param {string} source */
const evaluate = source => makeVatCompartment({ name: 'x' }).evaluate(source);

const names = [
  ...['acos', 'acosh', 'asin', 'asinh', 'atan', 'atanh', 'cbrt', 'cos', 'cosh', 'exp', 'expm1'],
  ...['log', 'log10', 'log1p', 'log2', 'sin', 'sinh', 'sqrt', 'tan', 'tanh', 'fround', 'round'],
];
const namesOfTwo = ['pow', 'atan2', 'hypot'];

/** The number of arguments for each function; the hash below is for the default. */
const count = Number(process.env.SWINGSET_RUNNER_VECTORS ?? 2_000);

/** Doubles of all exponents, of usual exponents, and hard cases. */
const makeArguments = () => {
  let seed = 20_260_713;
  const next = () => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return seed >>> 0;
  };
  const view = new DataView(new ArrayBuffer(8));
  const made = [0, -0, 1, -1, 0.5, -2, 10, Infinity, -Infinity, NaN, 5e-324, -5e-324, 1e22, 1e300];
  made.push(Number.MAX_VALUE, 2 ** -1022, Math.PI, Math.E, 0.1, 1 / 3, 709.78, 710, -745, -746);
  for (let k = -50; k < 50; k += 1) made.push(k, k / 2, k / 10, (k * Math.PI) / 4);
  while (made.length < count) {
    view.setUint32(0, next());
    view.setUint32(4, next());
    if (made.length % 4 > 0) {
      const exponent = 1023 + (next() % 80) - 40;
      view.setUint32(0, ((next() & 0x800fffff) | (exponent << 20)) >>> 0);
    }
    made.push(view.getFloat64(0));
  }
  return made;
};

/** @param {typeof Math} math */
const hashOf = math => {
  const values = makeArguments();
  const hash = createHash('sha256');
  const bytes = Buffer.alloc(8);
  /** @param {number} value */
  const put = value => {
    if (Number.isNaN(value)) bytes.write('7ff8000000000000', 'hex');
    else bytes.writeDoubleBE(value);
    hash.update(bytes);
  };
  const functions = /** @type {Record<string, (...args: number[]) => number>} */ (
    /** @type {unknown} */ (math)
  );
  for (const name of names) for (const x of values) put(functions[name](x));
  for (const name of namesOfTwo) {
    values.forEach((x, at) => {
      put(functions[name](x, values[(at * 7919 + 13) % values.length]));
      put(functions[name](Math.abs(x), ((at % 2000) - 1000) / (at % 3 ? 1 : 8)));
      put(functions[name](10, -(at % 330)));
    });
  }
  return hash.digest('hex');
};

test('the functions of Math give the same bits on every engine and processor', t => {
  const hash = hashOf(evaluate('Math'));
  t.log(`${count} arguments each: ${hash}`);
  if (process.env.SWINGSET_RUNNER_VECTORS === undefined)
    t.is(hash, '2ff32bfdb7107c52f03cdc31fc42b895523a1eff294cba43ce480f0b906c5c5b');
});

/** The double that is nearest to p/q. @param {bigint} p @param {bigint} q */
const nearest = (p, q) => {
  const shift = BigInt(Math.max(0, 120 - (p.toString(2).length - q.toString(2).length)));
  const scaled = (p << shift) / q;
  const sticky = (p << shift) % q === 0n ? 0n : 1n;
  const bits = BigInt(scaled.toString(2).length) - 60n;
  // 60 bits and a sticky bit round like the whole number.
  const kept = ((scaled >> bits) << 1n) | ((scaled & ((1n << bits) - 1n)) === 0n ? sticky : 1n);
  return Number(kept) * 2 ** Number(bits - shift - 1n);
};

test('a power of integers is the nearest double, also at a tie', t => {
  const math = evaluate('Math');
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 300_000 }), fc.integer({ min: -30, max: 30 }), (x, n) => {
      const [p, q] = n < 0 ? [1n, BigInt(x) ** BigInt(-n)] : [BigInt(x) ** BigInt(n), 1n];
      return math.pow(x, n) === nearest(p, q);
    }),
  );
  // 54 bits with the last one set: a tie, which rounds to even.
  t.is(math.pow(250_001, 3), Number(250_001n ** 3n));
  t.is(math.pow(10, 308), 1e308);
  t.is(math.pow(10, -5), 0.00001);
  t.is(math.pow(2, -1074), 5e-324);
  t.is(math.pow(2, -1075), 0);
});

test('the functions agree with those of the engine to an ulp', t => {
  const math = evaluate('Math');
  const any = fc.double({ noNaN: false });
  const view = new DataView(new ArrayBuffer(8));
  const place = (/** @type {number} */ value) => {
    view.setFloat64(0, value);
    const bits = view.getBigInt64(0);
    return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
  };
  const isNear = (/** @type {number} */ one, /** @type {number} */ other) => {
    if (Object.is(one, other)) return true;
    const apart = place(one) - place(other);
    return Number.isNaN(one) === Number.isNaN(other) && apart <= 2n && apart >= -2n;
  };
  const engine = /** @type {any} */ (Math);
  const near = fc.double({ min: -40, max: 40, noNaN: true });
  for (const name of names) {
    t.notThrows(
      () => fc.assert(fc.property(any, x => isNear(math[name](x), engine[name](x)))),
      name,
    );
  }
  for (const name of namesOfTwo) {
    for (const kind of [any, near]) {
      const law = fc.property(kind, kind, (x, y) => isNear(math[name](x, y), engine[name](x, y)));
      t.notThrows(() => fc.assert(law), name);
    }
  }
});

test('powers obey the cases that the language fixes', t => {
  const math = evaluate('Math');
  const odd = [0, -0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, Infinity, -Infinity, NaN, 1e300, -1e-300];
  for (const x of odd) {
    for (const y of odd) {
      if (Number.isInteger(y) || !Number.isFinite(y) || x <= 0)
        t.is(math.pow(x, y), x ** y, `${x} ${y}`);
    }
  }
});

test("Math has Node 20's properties with their attributes", t => {
  const describe = (/** @type {any} */ math) =>
    Object.fromEntries(
      Reflect.ownKeys(math)
        .filter(name => !['f16round', 'sumPrecise'].includes(String(name)))
        .map(name => [name, typeof math[name] === 'function' ? math[name].length : math[name]])
        .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    );
  const math = evaluate('Math');
  t.deepEqual(describe(math), describe(Math));
  t.is(String(math), '[object Math]');
  t.true(evaluate('Object.isFrozen(Math) && new Compartment().evaluate("Math") === Math'));
  t.throws(() => evaluate('Math.random()'), { message: /secure mode/ });
  t.throws(() => evaluate('Math.sin(1n)'), { instanceOf: TypeError });
  t.is(evaluate('Math.pow({ valueOf: () => 2 }, "3")'), 8);
});
