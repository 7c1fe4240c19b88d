// The kernel alone under `2020-09`, against the traces: its vats are scripts that make the syscalls which the vats of
// 2020 made, so whatever differs is the kernel's doing.

import { createHash } from 'node:crypto';
import fs from 'node:fs';

import test from 'ava';

import { makeKernel } from '#kernel';
import { makeMemoryStore } from '#store';

import { demoDirectory, listTraces, loadTrace, parseTraceName } from './compare/load.js';
import { observeCranks } from './compare/observe.js';
import { compareTrace } from './compare/trace.js';

/** @typedef {import('#model').Syscall} Syscall */

/** It needs vats that are made while running. */
const notHere = new Set(['terminateVat_killOf2020']);

const builtIn = ['vatAdmin', 'comms', 'vattp', 'timer'];

/**
 * A syscall as the traces write it, in today's form.
 *
 * @param {any[]} call
 * @returns {Syscall}
 */
const toSyscall = ([kind, ...rest]) => {
  switch (kind) {
    case 'send': {
      const [target, method, { body, slots }, result] = rest;
      return ['send', target, { body: `["${method}",${body}]`, slots }, result];
    }
    case 'subscribe':
      return ['subscribe', rest[0]];
    case 'fulfillToPresence':
      return [
        'resolve',
        [[rest[0], false, { body: '{"@qclass":"slot","index":0}', slots: [rest[1]] }]],
      ];
    case 'fulfillToData':
    case 'reject':
      return ['resolve', [[rest[0], kind === 'reject', rest[1]]]];
    default:
      throw TypeError(`the traces have the syscall ${kind}, which no script here makes`);
  }
};

/** The vats of a demo in the order of their ids. @param {string} folder */
const vatNames = folder => [
  ...fs
    .readdirSync(demoDirectory(folder))
    .flatMap(file => /^vat-(\w+)\.js$/.exec(file)?.[1] ?? [])
    .sort(),
  'bootstrap',
  ...builtIn,
];

for (const name of listTraces().filter(trace => !notHere.has(trace))) {
  test(`given the syscalls of ${name}, the kernel keeps the books of 2020-09-30`, async t => {
    const trace = loadTrace(name);
    const kernel = makeKernel('2020-09', {
      store: makeMemoryStore(),
      sha256: bytes => createHash('sha256').update(bytes).digest(),
      onVatFault: (vatId, problem) => t.fail(`${vatId}: ${problem}`),
    });
    kernel.initialise({
      vats: vatNames(parseTraceName(name).folder).map(vat => ({
        name: vat,
        source: '',
        parameters: '{}',
        isBuiltIn: builtIn.includes(vat),
        pipelining: vat === 'comms',
        options: {},
      })),
      devices: ['vatAdmin'],
      bootstrap: 'bootstrap',
    });
    const script = trace.flatMap(step => step.deliveries);
    for (const { vatId } of kernel.vats()) {
      kernel.attachVat(vatId, {
        begin: () => {},
        finish: () => {
          const next = script.shift();
          return { fault: null, syscalls: (next?.syscalls ?? []).map(toSyscall), answers: [] };
        },
        close: () => {},
      });
    }
    const steps = await observeCranks(kernel, async () => kernel.pump(1).cranks);
    t.deepEqual(compareTrace(steps, trace), []);
  });
}
