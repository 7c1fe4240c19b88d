// Sends deliveries to vats on worker threads, and waits for their results, first on the bell, then in the event loop.

import { performance } from 'node:perf_hooks';
import { Fail } from '#model';
import { countCranks } from './count-cranks.js';
import { answer } from './frames.js';
import {
  forgetVat,
  makeCall,
  noAnswer,
  refuseCall,
  showOutput,
  takeResult,
  waitForLook,
} from './remote-vat.js';
import { ThreadEnded } from './thread-ended.js';

/** @import { CrankResult, Kernel, Transport } from '#kernel' */
/** @import { Bell } from '#transport' */
/** @import { VatWatch } from '../vats/vat-watch.js' */
/** @import { LoadMeter } from './load-meter.js' */
/** @import { Thread } from './pool.js' */
/** @import { Call, RemoteVat } from './remote-vat.js' */

/**
 * Time for which the kernel's thread blocks before it lets its event loop run, which handles signals and ended threads.
 */
const patienceMs = 20;

/** @param {RemoteVat} vat @param {Call} call */
export const sendCall = ({ thread, vatId }, call) => {
  const { when, asked, delivery } = call;
  call.at = 0;
  if (!thread.isInBatch) {
    thread.isInBatch = true;
    thread.batches += 1;
  }
  thread.worker.send({ kind: 'deliver', vatId, when, asked, delivery });
};

/**
 * Mark a call as due: send it if it was held back, and answer the question that its vat asked too early.
 *
 * @param {RemoteVat} vat
 * @param {Call} call
 */
const makeDue = (vat, call) => {
  const { thread, isReady } = vat;
  call.isDue = true;
  if (call.isHeldBack && isReady) {
    call.isHeldBack = false;
    sendCall(vat, call);
    return;
  }
  const { held } = call;
  if (held === undefined) return;
  call.held = undefined;
  answer(thread.worker, call, held);
};

/** @param {RemoteVat} vat @param {Call} call */
const isHere = (vat, call) => call.result !== undefined && (vat.isReady || vat.replaying === call);

/** @param {RemoteVat} vat @returns {Call} */
const callOf = ({ vatId, call }) => call ?? Fail`vat ${vatId} has been given nothing`;

/**
 * @param {object} parts
 * @param {Kernel} parts.kernel
 * @param {VatWatch} parts.watch
 * @param {LoadMeter} parts.meter
 * @param {Bell} parts.bell  rung by threads when they have sent a frame
 * @param {readonly Thread[]} parts.threads  all threads, also those added later
 * @param {() => void} parts.readAll  reads the frames that threads have sent
 * @param {(thread: Thread) => void} parts.endThread  called when the vat of a process has ended
 * @param {import('./remote-vat.js').NoteCrank} parts.noteCrank
 * @param {(vat: RemoteVat) => boolean} parts.mayOvertake  whether a vat may begin behind items that have not begun
 * @param {(vat: RemoteVat) => Promise<void>} parts.restore  restores a vat of a resumed run
 * @param {(vat: RemoteVat) => void} parts.rewind  takes a vat back to the results that the kernel has taken
 */
export const makeDeliveries = ({
  kernel,
  watch,
  meter,
  bell,
  threads,
  readAll,
  endThread,
  restore,
  rewind,
  noteCrank,
  mayOvertake,
}) => {
  /** The number of the last delivery. */
  let nextOrder = 0;

  /**
   * @param {RemoteVat} vat
   * @param {Call} call  with its result
   * @returns {CrankResult}
   */
  const finishCall = (vat, call) => {
    watch.running.vatName = undefined;
    const result = takeResult(call);
    if (vat.replaying === call) {
      vat.replaying = undefined;
      return result;
    }
    vat.taken += countCranks(call, result);
    vat.call = undefined;
    vat.last = call;
    if (meter.isOn) meter.note(vat.vatId, call.when, call.result?.busyNs ?? 0);
    showOutput(watch, noteCrank, vat, call);
    return result;
  };

  /**
   * Like `finish`, in the event loop.
   *
   * @param {RemoteVat} vat
   * @param {Call} call
   * @returns {Promise<CrankResult>}
   */
  const finishLater = async (vat, call) => {
    for (;;) {
      readAll();
      if (isHere(vat, call)) return finishCall(vat, call);
      if (vat.thread.failure !== undefined) throw vat.thread.failure;
      // Its thread has ended: the delivery will be replayed on another one.
      if (vat.replaying !== call && vat.call !== call) throw new ThreadEnded();
      await waitForLook(vat);
    }
  };

  /**
   * Wait for the result of a delivery; a promise if it takes long.
   *
   * @param {RemoteVat} vat
   * @param {Call} call
   * @returns {CrankResult | Promise<CrankResult>}
   */
  const finish = (vat, call) => {
    makeDue(vat, call);
    const { running } = watch;
    running.vatName = vat.name;
    running.delivery = call.delivery;
    running.cranks += 1;
    const untilMs = performance.now() + patienceMs;
    for (let i = 0; i < threads.length; i += 1) threads[i].isInBatch = false;
    for (;;) {
      const { count: rung } = bell;
      readAll();
      if (isHere(vat, call)) return finishCall(vat, call);
      const isLong = vat.thread.worker.needsEventLoop || performance.now() > untilMs;
      if (isLong || !vat.thread.worker.isUp || (!vat.isReady && vat.replaying !== call))
        return finishLater(vat, call);
      bell.await(rung, patienceMs);
    }
  };

  /** @param {RemoteVat} vat @returns {Transport} */
  const transportOf = vat =>
    Object.freeze({
      overlaps: true,
      waitsForTurn: true,
      mayOvertake: () => mayOvertake(vat),
      begin(delivery, answerer, when) {
        const asked = delivery[0] === 'bringOutYourDead' ? kernel.askedNext() : [];
        const call = makeCall(delivery, answerer, when, asked);
        nextOrder += 1;
        call.order = nextOrder;
        vat.call = call;
        // Otherwise it is sent when the vat is restored.
        if (vat.beyond !== undefined) refuseCall(call, vat.vatId, vat.beyond);
        else if (call.mustNotWait && vat.asksInTurn) call.isHeldBack = true;
        else if (vat.isReady) sendCall(vat, call);
      },
      isDone() {
        const call = callOf(vat);
        makeDue(vat, call);
        readAll();
        return isHere(vat, call);
      },
      finish: () => finish(vat, callOf(vat)),
      restore: () => restore(vat),
      rewind: () => rewind(vat),
      close() {
        const { thread } = vat;
        if (vat.call?.held !== undefined && thread.worker.isUp) thread.worker.send(noAnswer);
        vat.isClosed = true;
        // A vat that is being restored is forgotten when its thread is whole (recovery.js).
        if (vat.isReady) forgetVat(vat);
        if (thread.heapBytes !== undefined) endThread(thread);
      },
    });

  return { finish, transportOf };
};
