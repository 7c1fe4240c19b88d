// A host that lies about the root of a vat, or about making one.

import test from 'ava';
import { makeMemoryCluster } from './memory-cluster.js';
import { changeMessages, hashOfPlainRun, startHost, startLeader } from './run-cluster.js';

const rounds = 20;

test.serial('a host that contradicts what a root was said to have loses its session', async t => {
  const memory = makeMemoryCluster();
  let isOver = false;
  let results = 0;
  // The fifth result of a vat with a root says the opposite of the others.
  const liar = changeMessages(memory.connect('h1'), message => {
    if (message.kind !== 'report' || message.report.kind !== 'result') return undefined;
    const { hasRounds } = message.report;
    if (hasRounds === null || (results += 1) !== 5) return undefined;
    return { kind: 'report', report: { ...message.report, hasRounds: !hasRounds } };
  });
  const hosting = startHost(liar, 'h1', { shouldStop: () => isOver });
  /** @type {string[]} */
  const told = [];
  const { activity } = await startLeader(memory.connect('leader'), {
    ...{ demo: 'pingpong', hosts: 1, others: { rounds, leaseMs: 20_000 } },
    tell: line => told.push(line),
  });
  isOver = true;
  await hosting;
  t.is(activity, await hashOfPlainRun('pingpong', rounds));
  t.regex(
    told.find(line => /is gone/.test(line)) ?? '',
    /^host h1 is gone: it says that the root of vat \w+ has (the|no) method of rounds, host h1 said otherwise$/,
  );
});

test.serial('a host that fails at a new vat by its own fault does not end the run', async t => {
  const expected = await hashOfPlainRun('pingpong', rounds);
  const memory = makeMemoryCluster();
  const liar = changeMessages(memory.connect('liar'), message =>
    message.kind === 'made' ? { ...message, problem: 'it is full', isUsers: false } : undefined,
  );
  /** @type {string[]} */
  const told = [];
  let isOver = false;
  t.teardown(() => {
    isOver = true;
  });
  const shouldStop = () => isOver;
  const others = [
    startHost(liar, 'liar', { shouldStop }),
    startHost(memory.connect('honest'), 'honest', { shouldStop }),
  ];
  const { activity } = await startLeader(memory.connect('leader'), {
    ...{ demo: 'pingpong', hosts: 2, others: { rounds, leaseMs: 20_000 } },
    tell: line => {
      told.push(line);
    },
  });
  isOver = true;
  await Promise.all(others);
  t.is(activity, expected);
  t.true(
    told.some(line => /^host liar is gone: vat \w+ could not be made there: it is full/.test(line)),
    told.join('\n'),
  );
});
