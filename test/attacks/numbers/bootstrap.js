// An honest program that computes: numbers whose last bit differs between versions of the engine make other messages, and so
// another hash. Every function of Math and every operator that the engine computes by itself, at places that are known to be
// hard, in every evaluator.
import { E, Far } from '@endo/far';

const list = [];
for (let i = -40; i <= 40; i += 1)
  list.push(Math.pow(10, i), 10 ** i, Math.pow(i / 7, 3.3), 1.1 ** i);

let power = 10;
power **= -5;

const evaluated = [
  (0, eval)('10 ** -5'),
  new Function('x', 'return x ** -5')(10),
  new Compartment().evaluate('Math.pow(10, -5)'),
  new Compartment().evaluate('let x = 10; x **= -5; x'),
  new new Compartment().globalThis.Function('return 10 ** -5')(),
  Reflect.apply(Math.pow, undefined, [10, -5]),
  [10].map(x => x ** -5)[0],
  10 ** -5,
  power,
  2 ** 0.5,
  (-8) ** (1 / 3),
  2n ** 70n,
  (0, eval)('2n ** 70n'),
  0 ** 0,
  NaN ** 0,
  1 ** Infinity,
  (-1) ** Infinity,
  (-0) ** -3,
  (-0) ** -2,
  2 ** -1074,
  2 ** 1023.9999,
];

const names = Reflect.ownKeys(Math).filter(key => typeof Math[key] === 'function');
const points = [
  0.1, 0.5, 0.7, 1e-9, 1.5, 2.3, 5, 10, 22, 100.25, 710, 1e15, 1e22, -0.3, -7.7, -1e300,
];
const computed = names.flatMap(name => {
  if (name === 'random' || typeof name === 'symbol') return [];
  return [name, ...points.map(x => Math[name](x, x / 3))];
});

const texts = [0.1 + 0.2, 1e21, 1 / 3, 5e-324, 2 ** 53].flatMap(x => [
  x.toFixed(3),
  x.toPrecision(17),
  x.toExponential(5),
  x.toString(36),
  x.toString(3),
  x.toLocaleString(),
]);

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(vats) {
      for (const all of [list, evaluated, computed, texts]) {
        console.log(all.map(each => (Object.is(each, -0) ? '-0' : String(each))).join(' '));
        E(vats.bob).take(all);
      }
    },
  });
