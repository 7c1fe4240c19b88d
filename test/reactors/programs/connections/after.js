// After AfterZero of Lingua Franca.

import { program, reactorBuilder } from '../../program.js';
import { Count, Print } from '../parts.js';

export const afterZero = program({
  name: 'AfterZero',
  rule: 'a delay of 0 is the next microstep',
  parts: { source: [Count, { period: 10 }], print: Print },
  connections: [{ from: ['source.out'], to: ['print.in'], after: 0 }],
  options: { timeout: 25 },
  trace: { print: ['0.1 1', '10.1 2', '20.1 3'] },
});

export const buildReactor = reactorBuilder(afterZero);
