// A thread may end while it restores a vat: the next one repeats all that the kernel has taken, also a result that is not yet
// in the transcript.

import { setImmediate as nextTurn } from 'node:timers/promises';

import test from 'ava';
import { DivergedError } from '#host/vats/replay.js';
import { makeRecovery } from '#host/workers/recovery.js';
import { makeCall, makeRemoteVat } from '#host/workers/remote-vat.js';

/** @import { Thread } from '../../workers/pool.js' */
/** @import { Call, RemoteVat } from '#host/workers/remote-vat.js' */

/** A thread with one vat, of whose two cranks the transcript has one. */
const makeRestored = () => {
  /** Workers so far, the last one last. @type {{ sent: any[] }[]} */
  const workers = [];
  const makeWorker = () => {
    /** @type {any[]} */
    const sent = [];
    const worker = {
      ...{ sent, isUp: true, atWork: 0, end: async () => {} },
      send: (/** @type {any} */ frame) => void sent.push(frame),
      awaitReport: () => nextTurn(),
    };
    workers.push(worker);
    return /** @type {any} */ (worker);
  };
  const thread = /** @type {Thread} */ ({
    ...{ number: 1, worker: makeWorker(), vats: new Map(), bundles: new Set(), restarts: 0 },
  });
  const vat = makeRemoteVat('v1', /** @type {any} */ ({ name: 'ann', number: 1 }), thread);
  thread.vats.set('v1', vat);
  const last = makeCall(
    ['bringOutYourDead'],
    () => ({ kind: 'value', value: undefined }),
    { timeNs: 0, microstep: 0, stage: 0 },
    [],
  );
  Object.assign(vat, { isReady: true, taken: 2, last });
  /** Calls that are sent again. @type {Call[]} */
  const again = [];
  const recovery = makeRecovery({
    ...{ kernel: /** @type {any} */ ({ transcriptBytes: () => new Uint8Array(1) }) },
    ...{ moves: /** @type {any} */ ({ cancelThread: () => [] }), makeWorker, readAll: () => {} },
    ...{ makeVat: async () => {}, rejectMaking: () => {} },
    sendCall: (_vat, call) => void again.push(call),
    async finish(/** @type {RemoteVat} */ restored) {
      restored.replaying = undefined;
      return { fault: null, syscalls: [], answers: [] };
    },
  });
  /** @param {string | null} [problem] */
  const replay = (problem = null) =>
    recovery.noteReplayed(thread, {
      ...{ kind: 'replayed', vatId: 'v1', cranks: 1, problem, hasRounds: null },
    });
  return { vat, thread, recovery, workers, again, last, replay };
};

for (const ends of [1, 2, 3])
  test(`a taken result is repeated after ${ends} threads have ended`, async t => {
    const { vat, thread, recovery, workers, again, last, replay } = makeRestored();
    for (let end = 1; end <= ends; end += 1) {
      recovery.replace(thread, 'it ends');
      while (workers[end].sent.length === 0) await nextTurn();
      t.deepEqual(
        workers[end].sent.map(({ kind }) => kind),
        ['replay'],
      );
      await nextTurn();
    }
    t.deepEqual(again, []);
    replay();
    while (!vat.isReady) await nextTurn();
    t.deepEqual(again, [{ ...last, result: undefined }]);
    t.is(vat.taken, 2);
    t.is(thread.failure, undefined);
  });

test('a vat that does not repeat its transcript after the end of a thread is its own problem', async t => {
  const { vat, thread, recovery, workers, replay } = makeRestored();
  /** @type {any} */
  let error;
  const restored = recovery.restore(vat).catch(thrown => {
    error = thrown;
  });
  recovery.replace(thread, 'it ends');
  while (workers[1].sent.length === 0) await nextTurn();
  replay('does not replay');
  await restored;
  t.true(error instanceof DivergedError);
  t.is(error.vatName, 'ann');
  t.is(thread.failure, undefined);
  t.deepEqual([...thread.vats], []);
  t.deepEqual(workers[1].sent.at(-1), { kind: 'close', vatId: 'v1' });
});
