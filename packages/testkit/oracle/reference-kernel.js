// The reference kernel: implements docs/design as plainly as possible. It has messages, promises, dynamic vats
// with upgrades and ends, their stores, devices, wake-ups and logical time, object collection, reactors, and the host's
// actions, in both profiles. It copies the world before each crank; a dropped crank restores the copy. Fuzzers
// compare the real kernel with it (differential.js).

import { ByteWriter, writeDelivery, writeSyscall } from '#model';
import { bear, findExit, hasStarted } from './reference-births.js';
import { cleanUp, countDelivery, endVat, insistCriticalRun, sendToRoot } from './reference-ends.js';
import { ReferenceHost } from './reference-host.js';
import { makePowers } from './reference-powers.js';
import { noteReport, runReactors } from './reference-reactions.js';
import {
  connect,
  describeReactors,
  firstItem,
  noteDevices,
  reactionsOf,
} from './reference-reactors.js';
import { describeList, hashRecords, outcomes } from './reference-records.js';
import { judgeReport } from './reference-reports.js';
import { routeSent } from './reference-routing.js';
import { emptyRan, runVat, transcribe } from './reference-run.js';
import { beginWorld } from './reference-start.js';
import { stepOf } from './reference-steps.js';
import { reportFailedUpgrade } from './reference-upgrades.js';
import { errorData } from './reference-bodies.js';
import { refCounts, sweep } from './reference-promises.js';
import {
  byNumber,
  byText,
  dec,
  isControl,
  isRunning,
  listOf,
  must,
  numberOf,
  queueAtOnce,
  queueControl,
  rejectWith,
  vatOf,
} from './world.js';

/** Kinds of syscalls by which a vat lets go of objects. */
const lettingGo = new Set(['dropImports', 'retireImports', 'retireExports', 'abandonExports']);

/** @import { Delivery } from '#model' */
/** @import { Plan } from './reference-reactors.js' */
/** @import { Reached } from './reference-deliveries.js' */
/** @import { ReferenceDevice } from './reference-devices.js' */
/** @import { React } from '../scripted-vat.js' */
/** @import { BirthPowers } from './reference-births.js' */
/** @import { Input } from './reference-host.js' */
/** @import { Code, Ran } from './reference-run.js' */
/** @import { ReferenceVat } from './reference-start.js' */
/** @import { Unreached } from './reference-steps.js' */
/** @import { Item, ProfileName, World } from './world.js' */

// eslint-disable-next-line house/max-class-lines -- a kernel to be read from top to bottom beside packages/README.md
export class ReferenceKernel {
  /** @type {World} */
  #w;

  /** @type {Map<string, Code>} */
  #codes = new Map();

  #device;

  /** @type {ByteWriter} all records of the activity hash */
  #records = new ByteWriter();

  #last = { crank: 0, timeNs: 0, microstep: 0 };

  #makeReact;

  /** @type {[vatId: string, problem: string][]} */
  faults = [];

  /** @type {Input[]} */
  inputs = [];

  /** The host; it acts between cranks. */
  host = new ReferenceHost({
    world: () => this.#w,
    restore: before => {
      this.#w = before;
    },
    input: (kind, vat, data) => this.#input(kind, vat, data),
    device: powers => must(this.#device)(powers),
  });

  /**
   * @param {ProfileName} profile
   * @param {ReferenceVat[]} vats
   * @param {ReferenceDevice | undefined} device
   * @param {(vatId: string, source: string, incarnation: number) => React} makeReact  for dynamic vats and later
   *   incarnations
   * @param {Plan} [plan]  connections of reactors
   */
  constructor(profile, vats, device, makeReact, plan) {
    this.#device = device;
    this.#makeReact = makeReact;
    const { w, bootstrap } = beginWorld(profile, vats, device !== undefined);
    this.#w = w;
    w.plan = plan;
    vats.forEach(({ react }, i) => this.#codes.set(`v${i + 1}`, { react, cranks: 0 }));
    this.host.addHeld(sendToRoot(w, 'v1', bootstrap));
    routeSent(w);
    w.microstep = 0;
    this.#input('start', '', profile);
  }

  get profile() {
    return this.#w.profile;
  }

  /** @param {string} kind @param {string} vat @param {string} data */
  #input = (kind, vat, data) => {
    const w = this.#w;
    /** @type {Input} */
    const input = {
      ...{ seq: w.next.input, tag: { timeNs: w.timeNs, microstep: w.microstep } },
      ...{ kind, vat, data },
    };
    this.inputs.push(input);
    w.next.input += 1;
    return input;
  };

  /** The critical vat whose end stopped the run. */
  get stoppedBy() {
    return this.#w.criticalEnd;
  }

  /** @param {string} vatId */
  isRunning(vatId) {
    return isRunning(this.#w, vatId);
  }

  /** @param {number} limit @param {number} [untilNs]  later items wait @returns {number} cranks */
  pump(limit, untilNs = Infinity) {
    let cranks = 0;
    while (cranks < limit) {
      const next = firstItem(this.#w);
      if (next === undefined || next.timeNs > untilNs) break;
      cranks += this.#crank(next, limit - cranks, untilNs);
    }
    if (this.#w.profile !== 'current')
      for (let i = cranks; i < limit && this.#ending.length > 0; i += 1) this.#cleanUpOne();
    return cranks;
  }

  /** @returns {string[]} */
  get #ending() {
    return [...this.#w.vats].filter(([, { isEnding }]) => isEnding).map(([vatId]) => vatId);
  }

  #cleanUpOne() {
    const [vatId] = this.#ending.sort(byNumber);
    if (vatId !== undefined) cleanUp(this.#w, vatId);
  }

  /** @param {Item} item  the first of the queue */
  #take(item) {
    const w = this.#w;
    w.queue.shift();
    w.timeNs = item.timeNs;
    w.microstep = item.microstep;
    if (item.class === 1) dec(w, 'runQueueLength');
  }

  /** The code of a vat. @param {string} vatId @returns {Code} */
  #codeOf = vatId => {
    const known = this.#codes.get(vatId);
    if (known !== undefined) return known;
    const code = this.#makeCode(vatId);
    this.#codes.set(vatId, code);
    return code;
  };

  /** @param {string} vatId @returns {Code} */
  #makeCode(vatId) {
    const { source, incarnation } = vatOf(this.#w, vatId);
    return { react: this.#makeReact(vatId, source, incarnation), cranks: 0 };
  }

  /** @type {BirthPowers} */
  #birthPowers = {
    codeOf: this.#codeOf,
    onFault: (vatId, problem) => this.faults.push([vatId, problem]),
    onRefusal: (vatId, limit, crank) => this.#noteRefusal(vatId, limit, crank),
  };

  /** @type {import('./reference-reactions.js').ReactionPowers} */
  #reactionPowers = {
    codeOf: this.#codeOf,
    device: () => this.#device,
    record: (item, vatId, delivery) => this.#record(item, vatId, 'kept', delivery, emptyRan()),
    finish: (before, item, to, code, crank) => this.#finish(before, item, to, code, crank),
  };

  /** @param {string} vatId @param {string} limit @param {number} crank */
  #noteRefusal(vatId, limit, crank) {
    const input = this.#input(limit === '' ? 'refused' : 'limit', vatId, limit);
    input.crank = crank;
  }

  /** @param {Item} item  the first @param {number} room  cranks @param {number} untilNs @returns {number} cranks */
  #crank(item, room, untilNs) {
    if (item.kind === 'react')
      return runReactors(this.#w, item, { room, untilNs }, this.#reactionPowers);
    const before = structuredClone(this.#w);
    this.#take(item);
    const to = stepOf(this.#w, item);
    if ('none' in to) {
      this.#crankOfNobody(item, to);
      return 1;
    }
    const { vatId, step } = to;
    const code = step === 'upgrade' ? this.#makeCode(vatId) : this.#codeOf(vatId);
    const asked = {
      ...{ vatId, step, grant: undefined, isGiven: true, before },
      tag: { timeNs: item.timeNs, microstep: item.microstep, stage: 0 },
    };
    const crank = runVat(this.#w, code, this.#device, to, ran => {
      const problem = judgeReport(this.#w, asked, ran.report, ran);
      if (problem === null) return;
      ran.fault ??= ran.ended ?? problem;
      ran.report = undefined;
    });
    this.#finish(before, item, to, code, crank);
    return 1;
  }

  /**
   * Keep or drop a vat's crank.
   *
   * @param {World} before  the world without it
   * @param {Item} item
   * @param {Reached} to
   * @param {Code} code
   * @param {Ran} crank
   */
  #finish(before, item, to, code, crank) {
    const { vatId, delivery, step } = to;
    const exit = findExit(this.#w, crank);
    if (crank.fault === null && step === 'upgrade') {
      if (exit !== undefined) crank.fault = 'it ended itself while it started';
      else if (crank.report || this.#w.reactors.has(vatId))
        crank.fault = 'a vat with reactors cannot be upgraded';
    }
    const isDropped = exit?.isFailure === true && this.#w.profile === 'current';
    if (crank.fault !== null || isDropped) {
      this.#w = before;
      this.#drop(item, to, crank);
      return;
    }
    const w = this.#w;
    if (crank.report) noteReport(w, vatId, crank.report, crank.report.counts);
    if (step === 'start' || step === 'upgrade') hasStarted(w, item, crank);
    this.#connectAfter(to);
    bear(w, item, crank, this.#birthPowers);
    const outcome = exit === undefined ? 'kept' : exit.isFailure ? 'exitWithFailure' : 'exit';
    this.#record(item, vatId, outcome, delivery, crank);
    noteDevices(w, vatId, delivery);
    if (to.brings) vatOf(w, vatId).holdsDevice = true;
    if (step === 'upgrade') {
      this.#codes.set(vatId, code);
      vatOf(w, vatId).count = 0;
      vatOf(w, vatId).gcKrefs = 0;
    }
    const end = crank.ownEnd ?? exit;
    if (end === undefined) this.#keptByVat(item, to, crank);
    else endVat(w, vatId, end.isFailure, end.info);
    this.#keep();
  }

  /** Connect reactors, if the last of the config's vats has started or failed to. @param {Reached} to */
  #connectAfter({ vatId, step }) {
    const w = this.#w;
    if (step !== 'start' || !w.vats.get(vatId)?.isStatic) return;
    if (!w.queue.some(item => item.kind === 'start' && vatOf(w, item.vatId).isStatic)) connect(w);
  }

  /** @param {Item} item @param {Unreached} to */
  #crankOfNobody(item, { none, act, wakes }) {
    const w = this.#w;
    const crank = emptyRan();
    if (wakes !== undefined) must(this.#device)(makePowers(w, wakes, { vatId: '', crank })).wake();
    act();
    bear(w, item, crank, this.#birthPowers);
    this.#record(item, '', 'kept', ['none', ...none], crank);
    this.#keep();
  }

  /**
   * Drop the crank: the world is that before it.
   *
   * @param {Item} item
   * @param {Reached} to
   * @param {Ran} crank
   */
  #drop(item, to, crank) {
    const { vatId, delivery, step, result } = to;
    const w = this.#w;
    const { fault, refused } = crank;
    for (const id of this.#codes.keys()) if (numberOf(id) >= w.next.vat) this.#codes.delete(id);
    if (fault !== null && step !== 'upgrade') this.faults.push([vatId, fault]);
    w.timeNs = item.timeNs;
    w.microstep = item.microstep;
    const reads = refused === undefined ? crank : emptyRan();
    this.#record(item, vatId, 'dropped', delivery, { ...reads, applied: [] });
    if (refused !== undefined) this.#noteRefusal(vatId, refused, w.cranks);
    if (w.profile === 'current' && step !== 'react') this.#take(must(w.queue[0]));
    if (step === 'upgrade') reportFailedUpgrade(w, item);
    else this.#endDropped(vatId, crank);
    this.#connectAfter(to);
    if (w.profile === 'current' && step === 'message' && result !== null) {
      // Its message is queued again, after the messages sent by the end.
      routeSent(w);
      rejectWith(w, result, 'vat terminated');
    }
    this.#keep();
  }

  /** @param {string} vatId @param {Ran} crank */
  #endDropped(vatId, crank) {
    const w = this.#w;
    const { fault } = crank;
    const { info } = findExit(w, crank) ?? { info: errorData(w.profile, '') };
    const isKnown = info.slots.every(kref => w.owners.has(kref) || w.promises.has(kref));
    const why = fault ?? 'vat terminated';
    const told = fault === null && isKnown ? info : errorData(w.profile, why);
    endVat(w, vatId, true, told);
  }

  #keep() {
    insistCriticalRun(this.#w);
    if (this.#w.profile !== 'current') this.#cleanUpOne();
    routeSent(this.#w);
    sweep(this.#w);
  }

  /**
   * @param {Item} item
   * @param {Reached} to
   * @param {Ran} crank
   */
  #keptByVat(item, to, crank) {
    const w = this.#w;
    const { vatId, step } = to;
    transcribe(w, item, to, crank);
    if (w.profile !== 'current') return;
    const vat = vatOf(w, vatId);
    const isAsked = step === 'bringOutYourDead';
    const letsGo = isAsked || (vat.mayLetGo && crank.syscalls.some(([is]) => lettingGo.has(is)));
    if (letsGo && !w.queue.some(({ kind }) => kind === 'collect')) {
      // A vat that lets go of objects by itself is ahead of nothing unless the config sets an interval.
      const isLater = !isAsked && w.thresholds.interval === undefined;
      (isLater ? queueControl : queueAtOnce)(w, 'collect', '');
    }
    if (step !== 'upgrade' && !isAsked) countDelivery(w, vatId, to.delivery);
    if (!isAsked) return;
    vat.count = 0;
    vat.gcKrefs = 0;
    if (item.class === 0) vat.isAsked = false;
    const list = listOf(w, vatId);
    list.seenObjects = list.nextObject;
    const dead = ['dropImports', 'retireImports', 'retireExports'].map(kind =>
      crank.syscalls
        .filter(syscall => syscall[0] === kind)
        .map(syscall => /** @type {string[]} */ (syscall[1]).join(' '))
        .join(' '),
    );
    this.#input('dead', vatId, dead.join(';'));
  }

  /**
   * @param {Item} item
   * @param {string} vatId
   * @param {string} outcome
   * @param {Delivery} delivery
   * @param {Pick<Ran, 'applied' | 'reads' | 'linkReads'>} crank
   */
  #record(item, vatId, outcome, delivery, { applied: syscalls, reads, linkReads }) {
    const w = this.#w;
    for (const { kind, data } of [...reads, ...linkReads]) this.#input(kind, vatId, data);
    const writer = this.#records;
    w.cranks += 1;
    if (isControl(item)) w.controlCranks += 1;
    const step = item.microstep - this.#last.microstep;
    const isLater = item.timeNs !== this.#last.timeNs;
    writer.varint(w.cranks - this.#last.crank);
    writer.varint(item.timeNs - this.#last.timeNs);
    if (isLater) writer.varint(item.microstep);
    else writer.varint(step < 0 ? -2 * step - 1 : 2 * step);
    writer.byte(item.class);
    writer.varint(item.stage ?? 0);
    writer.varint(vatId === '' ? 0 : numberOf(vatId));
    writer.byte(outcomes.indexOf(outcome));
    writeDelivery(writer, delivery);
    writer.varint(syscalls.length);
    for (const syscall of syscalls) writeSyscall(writer, syscall);
    this.#last = { crank: w.cranks, timeNs: item.timeNs, microstep: item.microstep };
  }

  activityHash() {
    return hashRecords(this.#records.view());
  }

  /** Describe the persistent state, in the form in which `describeKernel` describes the real kernel. */
  describe() {
    const w = this.#w;
    const counts = refCounts(w);
    return {
      next: { ...w.next },
      cranks: { all: w.cranks, control: w.controlCranks },
      ...{ timeNs: w.timeNs, microstep: w.microstep },
      hash: this.activityHash(),
      counters: w.counters,
      owners: [...w.owners].sort(([a], [b]) => byText(a, b)),
      held: [...w.held].sort(([a], [b]) => byText(a, b)),
      promises: [...w.promises]
        .sort(([a], [b]) => byNumber(a, b))
        .map(([kpid, row]) => ({
          ...{ kpid, refCount: counts.get(kpid), isUncounted: w.uncounted.has(kpid) },
          ...row,
        })),
      reactions: reactionsOf(w).map(({ vatId, timeNs, microstep, stage, class: itemClass }) => ({
        ...{ vatId, timeNs, microstep, stage, class: itemClass },
      })),
      reactors: describeReactors(w),
      queue: w.queue,
      vats: [...w.vats].map(([vatId, { list, store, ...vat }]) => ({
        ...{ vatId, state: vat.state, holdsDevice: vat.holdsDevice, isEnding: vat.isEnding },
        ...{ name: vat.name, isStatic: vat.isStatic, source: vat.source },
        ...{ incarnation: vat.incarnation, firstPromise: vat.firstPromise },
        parameters: vat.parameters,
        list: describeList(list),
        store: [...store].sort(([a], [b]) => byText(a, b)),
        transcript: vat.transcript,
      })),
      devices: [...w.devices].map(([id, { list, store }]) => ({
        ...{ id, list: describeList(list) },
        store: [...store].sort(([a], [b]) => byText(a, b)),
      })),
      outbox: w.outbox,
      inputs: this.inputs,
    };
  }
}
