// Rows, and the description of the machine.

import test from 'ava';
import {
  completeRows,
  describeCommit,
  describeMachine,
  describeNoise,
  formatMachine,
  formatRows,
  spreadOf,
  watchNoise,
} from '../index.js';

const figures = [
  { name: 'a round', unit: 'us', ...spreadOf([31.25, 33.5, 1234.5]), params: { rounds: 100 } },
  { name: 'bytes', unit: 'bytes', ...spreadOf([1234567]) },
  { name: 'ratio', unit: 'ratio', ...spreadOf([0.98765, 1.5]) },
];

test('a row is self-contained', t => {
  const context = { suite: 's', machine: 'm', node: 'v20', commit: 'abc', noise: 'idle' };
  const [row, other] = completeRows(figures, context);
  t.deepEqual(row, {
    suite: 's',
    name: 'a round',
    unit: 'us',
    n: 3,
    median: 33.5,
    min: 31.25,
    max: 1234.5,
    p25: 32.375,
    p75: 634,
    machine: 'm',
    node: 'v20',
    commit: 'abc',
    params: { rounds: 100, noise: 'idle' },
  });
  t.deepEqual(other.params, { noise: 'idle' });
});

test('a table has three digits of each figure, and no spread of a single value', t => {
  t.is(
    formatRows(figures),
    [
      '         n     median    min    max   p25   p75  unit',
      'a round  3       33.5   31.3  1,235  32.4   634  us',
      'bytes    1  1,234,567                            bytes',
      'ratio    2       1.24  0.988   1.50  1.12  1.37  ratio',
      '',
    ].join('\n'),
  );
  t.is(formatRows([]), '  n  median  min  max  p25  p75  unit\n');
});

test('machine and commit are named', t => {
  const machine = describeMachine();
  t.true(machine.cores >= 1 && machine.memoryBytes > 0);
  t.is(machine.node, process.version);
  t.is(
    formatMachine({
      cpu: 'C',
      cores: 2,
      memoryBytes: 3 * 2 ** 30,
      system: 'linux 6 x64',
      node: '',
    }),
    'C, 2 cores, 3.0 GiB, linux 6 x64',
  );
  t.regex(describeCommit(), /^([0-9a-f]{7,40}\+?|version \d+\.\d+\.\d+)$/);
});

test('the machine is watched before and after', async t => {
  const end = await watchNoise();
  const noise = await end();
  for (const value of Object.values(noise)) {
    t.true(typeof value === 'boolean' || (Number.isFinite(value) && value >= 0));
  }
  t.regex(describeNoise(noise), noise.isIdle ? /^idle$/ : /^not idle: /);
});

test('the signs of a busy machine are named', t => {
  const noise = {
    isIdle: false,
    othersCores: 1.26,
    loadAverage: 3,
    loopMs: 2,
    loopChange: 1.25,
    loopUnevenness: 1.5,
  };
  t.is(
    describeNoise(noise),
    'not idle: others used 1.3 cores; turns of a fixed loop varied by 50 %; a fixed loop took 25 % longer at the end',
  );
  t.is(
    describeNoise({ ...noise, othersCores: 0, loopChange: 0.8, loopUnevenness: 1 }),
    'not idle: a fixed loop took 20 % less at the end',
  );
  t.is(describeNoise({ ...noise, isIdle: true }), 'idle');
});
