// Deliveries come in the order in which SwingSet makes them: what the real kernel gave for the programs of
// acceptance-programs.js stands in acceptance-orders.json, with how it was obtained.

import { readFileSync } from 'node:fs';
import test from 'ava';

import { audit } from '#kernel';
import { makeMemoryStore } from '#store';
import { makeOverlappingTransports, makeTestKernel } from '#testkit';
import { orderedPrograms, reactAsScripted } from './acceptance-programs.js';

/** @import { OrderedProgram } from './acceptance-programs.js' */

/** @type {{ orders: Record<string, string[]> }} */
const { orders } = JSON.parse(
  readFileSync(new URL('acceptance-orders.json', import.meta.url), 'utf8'),
);

/**
 * @param {OrderedProgram} program
 * @param {string[]} log
 * @param {Partial<import('#testkit').TestKernelOptions>} [options]
 */
const makeKernelOf = (program, log, options = {}) => {
  return makeTestKernel({
    ...options,
    vats: Object.fromEntries(
      Object.keys(program.vats).map(name => {
        const react = reactAsScripted(program, name, log);
        return [
          name,
          {
            react,
            pipelining: program.pipelining?.includes(name) ?? false,
          },
        ];
      }),
    ),
  });
};

for (const program of orderedPrograms) {
  const { title } = program;
  test(title, async t => {
    /** @type {string[]} */
    const log = [];
    const run = makeKernelOf(program, log);
    await run.run();
    t.deepEqual(log, orders[title]);
    t.deepEqual(audit(run.state), []);

    const store = makeMemoryStore();
    let part = makeKernelOf(program, [], { store });
    while ((await part.run(1)) > 0) {
      part.kernel.commit();
      part = makeKernelOf(program, [], { store, resume: true });
    }
    t.is(part.kernel.activityHash(), run.kernel.activityHash(), 'resumed behind every crank');

    const ahead = makeKernelOf(program, [], {
      lookahead: 8,
      wrapTransport: makeOverlappingTransports(title).wrap,
    });
    await ahead.run();
    t.is(ahead.kernel.activityHash(), run.kernel.activityHash());
  });
}

test('every program has a kept order, and every kept order a program', t => {
  t.deepEqual(
    Object.keys(orders),
    orderedPrograms.map(({ title }) => title),
  );
});
