import test from 'ava';

import { listTraces, loadTrace } from '../load.js';
import { compareTrace } from '../trace.js';

test('every trace equals itself, its cranks are numbered from 1', t => {
  for (const name of listTraces()) {
    const trace = loadTrace(name);
    t.deepEqual(compareTrace(trace, trace), [], name);
    t.deepEqual(
      trace.map(step => step.crank),
      trace.map((_, i) => i + 1),
    );
  }
});

test('the first crank that differs comes first, with what differs', t => {
  const want = loadTrace('pingPongBenchmark');
  const got = structuredClone(want);
  got[4].stats.clistEntries += 1;
  got[3].deliveries[0].syscalls.reverse();
  const differences = compareTrace(got, want);
  t.true(differences[0].startsWith('crank 4: syscall 1: expected ["send","o-50","hello"'));
  t.true(differences.at(-1)?.startsWith('crank 5: clistEntries: expected'));
});

test('texts may differ, structure may not', t => {
  const want = loadTrace('justReply');
  const got = structuredClone(want);
  const { syscalls } = got[2].deliveries[0];
  syscalls[0][2].body = '"other words"';
  t.deepEqual(compareTrace(got, want), []);
  syscalls[0][2].body = '["other words"]';
  t.deepEqual(compareTrace(got, want), [
    'crank 3: syscall 1: expected ["fulfillToData","p-60",{"shape":"…","slots":[]}], got ["fulfillToData","p-60",{"shape":["…"],"slots":[]}]',
  ]);
});

test('each field changed in each crank is found', t => {
  const want = loadTrace('resolveCircular');
  for (let i = 0; i < want.length; i += 1) {
    for (const [field, value] of Object.entries(want[i])) {
      if (field !== 'crank') {
        const got = /** @type {any[]} */ (structuredClone(want));
        if (Array.isArray(value))
          got[i][field] = [...value, value[0] ?? { vat: 'v1', d: [], syscalls: [] }];
        else if (field === 'stats') got[i].stats.syscalls += 1;
        else got[i].msg = { ...got[i].msg, kpid: 'kp999' };
        const differences = compareTrace(got, want);
        t.true(differences.length > 0, `crank ${i + 1} ${field}`);
        t.true(differences.every(line => line.startsWith(`crank ${i + 1}: `)));
      }
    }
  }
});

test('missing and surplus cranks are differences', t => {
  const want = loadTrace('resolveCase1');
  t.deepEqual(compareTrace(want.slice(0, 3), want).length, 1);
  t.deepEqual(compareTrace([...want, want[3]], want).length, 1);
  t.deepEqual(compareTrace([{ crank: 1 }], want.slice(0, 1)), []);
});
