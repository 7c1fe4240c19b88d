import test from 'ava';
import { makeParallelChart } from '../charts/ipc.js';
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

test('the legend of many systems with long names has several lines', t => {
  const names = Array.from({ length: 9 }, (_, i) => `a system with a long name ${i}`);
  const savina = makeSavinaChart(
    names.map(series => ({ program: 'p', series, threads: 1, mean: 5, low: 4, high: 6 })),
    { notes: [] },
  );
  const calls = makeParallelChart(
    names.map(name => ({ name, cores: 1, median: 1, p75: 1, average: 1 })),
    { unit: 'ns', notes: [] },
  );
  for (const spec of [savina, calls])
    t.regex(JSON.stringify(spec), /"legend":\{[^}]*"columns":[1-4]\b/);
});

test('a ninth system, which has the hue of the first one, differs by its mark or dash', t => {
  const names = Array.from({ length: 17 }, (_, i) => `system ${i}`);
  const savina = makeSavinaChart(
    names.map(series => ({ program: 'p', series, threads: 1, mean: 5, low: 4, high: 6 })),
    { notes: [] },
  );
  const calls = makeParallelChart(
    names.map(name => ({ name, cores: 1, median: 1, p75: 1, average: 1 })),
    { unit: 'ns', notes: [] },
  );
  const { color } = savina.spec.encoding;
  const { shape } = savina.spec.layer.at(-1).encoding;
  const { strokeDash } = calls.layer[0].encoding;
  for (const other of [shape, strokeDash]) {
    const looks = names.map((_, i) => JSON.stringify([color.scale.range[i], other.scale.range[i]]));
    t.is(new Set(looks).size, names.length);
  }
});

test('an average that other work has raised does not flatten the medians', t => {
  const points = [1, 2].map(cores => ({
    name: 'send',
    cores,
    median: 100,
    p75: 110,
    average: 120,
  }));
  const endOf = (/** @type {any} */ spec) => spec.layer[0].encoding.y.scale.domain[1];
  const calm = makeParallelChart(points, { unit: 'ns', notes: [] });
  t.is(Math.round(endOf(calm)), 126);
  t.false(JSON.stringify(calm.title).includes('above the scale'));
  const busy = makeParallelChart([...points, { ...points[0], name: 'read', average: 54_321 }], {
    unit: 'ns',
    notes: [],
  });
  t.is(Math.round(endOf(busy)), 315);
  t.true(busy.layer[1].mark.clip);
  t.true(JSON.stringify(busy.title).includes('Averages go up to 54,321, above the scale.'));
});
