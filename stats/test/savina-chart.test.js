import test from 'ava';
import { makeSavinaChart } from '../charts/savina.js';

test('systems with equal times stand beside each other, each nearest to its number of threads', t => {
  const points = ['one', 'two', 'three'].flatMap(series =>
    [1, 2].map(threads => ({ program: 'p', series, threads, mean: 5, low: 4, high: 6 })),
  );
  const { values } = /** @type {any} */ (makeSavinaChart(points, { notes: [] })).data;
  t.deepEqual(
    values.map((/** @type {any} */ { series, at }) => [series, at]),
    [
      ['one', 0.8],
      ['one', 1.8],
      ['two', 1],
      ['two', 2],
      ['three', 1.2],
      ['three', 2.2],
    ],
  );
});
