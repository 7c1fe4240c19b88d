// A thread that runs cranks of its vats ahead of the kernel (ahead-kernel.js). Its reports are kept and sent together,
// since each waking of the other thread takes longer than a short crank.

import { performance } from 'node:perf_hooks';
import { ByteWriter } from '#model';
import { writeReport } from '#transport';
import { AheadKernel } from './ahead-kernel.js';

/** @import { CrankResult } from '#kernel' */
/** @import { Answer, Syscall } from '#model' */
/** @import { Question, Report, Request } from '#transport' */
/** @import { AheadPlace } from './ahead-kernel.js' */
/** @import { Answerer } from './remote-vat.js' */

/** Questions that the state answers. @type {ReadonlySet<Question[0]>} */
const answerable = new Set(['vatstoreGet', 'vatstoreGetNextKey', 'bringOutYourDead']);

/** Bound on the bytes of kept reports. */
const mostBytes = 64 * 1024;

/** How long reports are kept while short cranks follow each other; one of a long crank is sent when that is over. */
const mostKeptMs = 5;

/**
 * @param {object} parts
 * @param {string} parts.profile  of the kernel
 * @param {ReadonlyMap<string, object>} parts.vats  of the thread
 * @param {(report: Report) => void} parts.send
 * @param {(frame: Uint8Array) => void} parts.sendFrame
 * @param {(count: number) => unknown} parts.noteKept  shows the number of kept reports
 * @param {(vatId: string, question: Question, earlier: readonly Syscall[]) => Answer} parts.ask  the kernel's thread
 * @param {(request: Extract<Request, { kind: 'deliver' }>, answer: Answerer) => () => CrankResult | Promise<CrankResult>} parts.begin
 */
export const makeThreadAhead = ({ profile, vats, send, sendFrame, noteKept, ask, begin }) => {
  /** @type {AheadKernel | undefined} */
  let kernel;
  /** @type {Uint8Array[]} */
  let frames = [];
  let size = 0;
  /** When the first of them was kept. */
  let sinceMs = 0;
  const bytes = new ByteWriter();

  const flush = () => {
    if (frames.length === 0) return;
    const [first] = frames;
    if (frames.length > 1) writeReport(bytes, { kind: 'batch', frames });
    const frame = frames.length > 1 ? bytes.view() : first;
    frames = [];
    size = 0;
    sendFrame(frame);
    noteKept(0);
  };

  const isActive = () => kernel !== undefined && !kernel.isOver;

  /** Answer a question from the state if it can, and report that. @param {string} vatId @param {Answerer} own  the state's @returns {Answerer} */
  const answerer = (vatId, own) => (question, earlier) => {
    if (kernel === undefined || kernel.isOver || !answerable.has(question[0])) {
      kernel?.end(`a vat asks for ${question[0]}`);
      return ask(vatId, question, earlier);
    }
    const answer = own(question, earlier);
    send({ kind: 'told', vatId, question, answer });
    return answer;
  };

  /** @param {string} vatId @returns {AheadPlace} */
  const makePlace = vatId => {
    /** @type {() => CrankResult | Promise<CrankResult>} */
    let finish = () => new Promise(() => {});
    return {
      overlaps: false,
      begin(delivery, own, when) {
        const asked = kernel?.askedFor(delivery) ?? [];
        const request = /** @type {const} */ ({ kind: 'deliver', vatId, when, asked, delivery });
        finish = begin(request, answerer(vatId, own));
      },
      finish: () => finish(),
    };
  };

  /** @param {Extract<Request, { kind: 'goAhead' }>} request */
  const goAhead = ({ state, vatIds }) => {
    kernel?.discard();
    kernel = undefined;
    /** @type {WeakMap<object, AheadPlace>} */
    const places = new WeakMap();
    const placeOf = (/** @type {string} */ vatId) => {
      const vat = vats.get(vatId);
      if (vat === undefined) return undefined;
      const place = places.get(vat) ?? makePlace(vatId);
      places.set(vat, place);
      return place;
    };
    try {
      kernel = new AheadKernel({ profile, state, vatIds, placeOf, post: send, flush });
    } catch (error) {
      send({ kind: 'behind', reason: /** @type {Error} */ (error).message });
    }
  };

  return Object.freeze({
    flush,

    /**
     * Keep a report for the next batch.
     *
     * @param {Uint8Array} frame
     * @returns {boolean} false if it is to be sent now
     */
    keeps(frame) {
      if (!isActive() && frames.length === 0) return false;
      if (frames.length === 0) sinceMs = performance.now();
      frames.push(frame.slice());
      size += frame.length;
      noteKept(frames.length);
      kernel?.spend(frame.length);
      if (!isActive() || size > mostBytes || performance.now() - sinceMs > mostKeptMs) flush();
      return true;
    },

    /**
     * @param {Request} request
     * @returns {void | Promise<void>} a promise if the event loop is needed
     */
    take(request) {
      if (request.kind === 'goAhead') goAhead(request);
      else if (request.kind === 'input') kernel?.input(request);
      else if (request.kind === 'taken') kernel?.taken(request.cranks);
      else if (request.kind === 'stayBehind') kernel?.end('the leader asks for it');
      kernel?.run();
      return kernel?.resting;
    },
  });
};
