// The reference kernel: what packages/README.md says, written down as plainly as can be. It knows messages, promises, the
// ends of vats, their stores, devices that answer, and object collection, in both profiles; no reactors, no time, no vats
// that are made in the run. The world is copied before each crank, and a crank that is dropped never was.
// Fuzzers hold the real kernel against it (differential.js).

import { ByteWriter, writeDelivery, writeSyscall, writeTranscriptEntry } from '#model';
import { applySyscall, Fault, findTextProblem } from './reference-syscalls.js';
import { deliver, notify, tell } from './reference-deliveries.js';
import { callDevice, newNode } from './reference-devices.js';
import { describeList, hashRecords, outcomes } from './reference-records.js';
import { destinationOf, rejectResult, routeSent } from './reference-routing.js';
import { cleanUp, countDelivery, endVat, judge, judgeAgain, sendToRoot } from './reference-ends.js';
import {
  addEntry,
  byNumber,
  byText,
  dec,
  emptyList,
  errorData,
  exportObject,
  inc,
  isRunning,
  listOf,
  must,
  numberOf,
  promiseOf,
  queueControl,
  refCounts,
  rejectWith,
  sweep,
  systemVats,
  vatOf,
  vrefOf,
} from './world.js';

/** @import { Answer, CapData, Delivery, Resolution, Syscall } from '#model' */
/** @import { Reached } from './reference-deliveries.js' */
/** @import { ReferenceDevice } from './reference-devices.js' */
/** @import { React } from '../scripted-vat.js' */
/** @import { Item, Message, ProfileName, Promised, World } from './world.js' */

/**
 * @typedef {object} ReferenceVat
 * @property {string} name
 * @property {React} react
 * @property {boolean} starts
 * @property {boolean} pipelining
 * @property {number} interval  deliveries after which it is asked for its dead references
 */

// eslint-disable-next-line house/max-class-lines -- a kernel to be read from top to bottom beside packages/README.md
export class ReferenceKernel {
  /** @type {World} */
  #w;

  /** @type {Map<string, { react: React, cranks: number }>} */
  #reacts = new Map();

  #device;

  /** @type {ByteWriter} all records of the activity hash */
  #records = new ByteWriter();

  #last = { crank: 0, microstep: 0 };

  /** @type {Map<string, ByteWriter>} */
  #transcripts = new Map();

  /** @type {[vatId: string, problem: string][]} */
  faults = [];

  /** @type {object[]} */
  inputs = [];

  /**
   * @param {ProfileName} profile
   * @param {ReferenceVat[]} vats
   * @param {ReferenceDevice | undefined} device
   */
  constructor(profile, vats, device) {
    this.#device = device;
    const w = /** @type {World} */ ({
      profile,
      counters: {},
      next: { object: 20, promise: 40, device: 30, item: 1, input: 1 },
      microstep: -1,
      cranks: 0,
      controlCranks: 0,
      vats: new Map(),
      places: new Map(),
      devices: new Map(),
      owners: new Map(),
      promises: new Map(),
      ghosts: new Map(),
      held: new Map(),
      queue: [],
      sent: [],
    });
    this.#w = w;
    vats.forEach(({ name, react, pipelining, interval }, i) => {
      const id = `v${i + 1}`;
      w.vats.set(id, {
        ...{ name, pipelining, interval, state: 'running', count: 0, isAsked: false },
        ...{ isEnding: false, holdsDevice: false, list: emptyList(), store: new Map() },
      });
      this.#reacts.set(id, { react, cranks: 0 });
    });
    const named = [...w.vats].sort(([, left], [, right]) => byText(left.name, right.name));
    const placeOf = (/** @type {string} */ name) => {
      if (name === vats[0].name) return 0;
      return systemVats.includes(name) ? 1 : 2;
    };
    const placed = [...named].sort(
      ([, left], [, right]) => placeOf(left.name) - placeOf(right.name),
    );
    w.places = new Map(placed.map(([vatId], i) => [vatId, `v${i + 1}`]));
    const roots = named.map(([vatId]) => {
      const kref = exportObject(w, vatId);
      addEntry(w, listOf(w, vatId), true, kref, 'o+0');
      return kref;
    });
    if (device) {
      w.devices.set('d7', { name: 'device', list: emptyList(), store: new Map() });
      roots.push(newNode(w, 'd7', 'd+0'));
    }
    vats.forEach(({ starts }, i) => {
      if (starts && profile === 'current') queueControl(w, 'start', `v${i + 1}`);
    });
    const slot = (/** @type {number} */ i, /** @type {string} */ what) =>
      profile === 'current' ? `"$${i}.Alleged: ${what}"` : `{"@qclass":"slot","index":${i}}`;
    const record = named.map(([, { name }], i) => `"${name}":${slot(i, 'root')}`).join();
    const devices = device ? `"device":${slot(named.length, 'device')}` : '';
    const body = `${this.#start}["bootstrap",[{${record}},{${devices}}]]`;
    this.#hold(sendToRoot(w, 'v1', { body, slots: roots }));
    routeSent(w);
    w.microstep = 0;
    this.#input('start', '', profile);
  }

  get #start() {
    return this.#w.profile === 'current' ? '#' : '';
  }

  /** @param {string} kpid */
  #hold(kpid) {
    this.#w.held.set(kpid, (this.#w.held.get(kpid) ?? 0) + 1);
  }

  /** @param {string} kind @param {string} vat @param {string} data */
  #input(kind, vat, data) {
    const w = this.#w;
    const tag = { timeNs: 0, microstep: w.microstep };
    this.inputs.push({ seq: w.next.input, tag, kind, vat, data });
    w.next.input += 1;
  }

  /** @param {string} kind @param {string} vat @param {string} data */
  #hostInput(kind, vat, data) {
    const w = this.#w;
    const isInside = w.queue[0]?.microstep === w.microstep;
    this.#input(kind, vat, data);
    if (isInside) Object.assign(must(this.inputs.at(-1)), { crank: w.cranks });
  }

  /** @param {string} vatId */
  isRunning(vatId) {
    return isRunning(this.#w, vatId);
  }

  /** @param {string} vatId @param {CapData} methargs @returns {string} */
  queueToVatRoot(vatId, methargs) {
    const result = sendToRoot(this.#w, vatId, methargs);
    this.#hold(result);
    routeSent(this.#w);
    // What came before the message is what its place is told by.
    const { queue } = this.#w;
    const own = must(queue.find(item => item.message?.result === result));
    this.#w.queue = queue.filter(item => item !== own);
    this.#hostInput('message', vatId, JSON.stringify([methargs.body, methargs.slots]));
    this.#w.queue = queue;
    return result;
  }

  /** @param {string} kpid */
  release(kpid) {
    const w = this.#w;
    const held = must(w.held.get(kpid));
    if (held === 1) w.held.delete(kpid);
    else w.held.set(kpid, held - 1);
    this.#hostInput('release', '', kpid);
  }

  /** @param {number} limit @returns {number} cranks */
  pump(limit) {
    let cranks = 0;
    while (cranks < limit && this.#w.queue.length > 0) {
      this.#crank();
      cranks += 1;
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
    if (vatId !== undefined) cleanUp(this.#w, vatId, this.#onGone);
  }

  #onGone = (/** @type {string} */ vatId) => {
    this.#transcripts.delete(vatId);
  };

  /** @param {string} vatId @param {boolean} isFailure @param {CapData} info */
  #end(vatId, isFailure, info) {
    endVat(this.#w, vatId, isFailure, info, this.#onGone);
  }

  /** @param {Item} item  the first of the queue */
  #take(item) {
    const w = this.#w;
    w.queue.shift();
    w.microstep = item.microstep;
    if (item.class === 1) dec(w, 'runQueueLength');
  }

  #crank() {
    const before = structuredClone(this.#w);
    const [item] = this.#w.queue;
    this.#take(item);
    const to = this.#route(item);
    if ('none' in to) {
      this.#record(item, '', 'kept', ['none', ...to.none], []);
      to.act();
      this.#keep();
      return;
    }
    const { vatId, delivery, result: promised, step } = to;
    const crank = this.#run(to);
    const fault = crank.fault;
    const exit = crank.applied.find(([kind]) => kind === 'exit');
    const [, isFailure, info] = /** @type {['exit', boolean, CapData]} */ (
      exit ?? ['exit', false, errorData(this.#w.profile, '')]
    );
    const isDropped = exit !== undefined && isFailure && this.#w.profile === 'current';
    if (fault === null && !isDropped) {
      const outcome = exit === undefined ? 'kept' : isFailure ? 'exitWithFailure' : 'exit';
      this.#record(item, vatId, outcome, delivery, crank.applied);
      if (to.brings) vatOf(this.#w, vatId).holdsDevice = true;
      if (exit === undefined) this.#keptByVat(item, to, crank);
      else this.#end(vatId, isFailure, info);
      this.#keep();
      return;
    }
    this.#w = before;
    const w = this.#w;
    if (fault !== null) this.faults.push([vatId, fault]);
    w.microstep = item.microstep;
    this.#record(item, vatId, 'dropped', delivery, []);
    if (w.profile === 'current') this.#take(must(w.queue[0]));
    const isKnown = info.slots.every(kref => w.owners.has(kref) || w.promises.has(kref));
    const why = fault ?? 'vat terminated';
    this.#end(vatId, true, fault === null && isKnown ? info : errorData(w.profile, why));
    if (w.profile === 'current' && step === 'message' && promised !== null) {
      // Its message is as if it came once more: after what the end has sent.
      routeSent(w);
      rejectWith(w, promised, 'vat terminated');
    }
    this.#keep();
  }

  #keep() {
    if (this.#w.profile !== 'current') this.#cleanUpOne();
    routeSent(this.#w);
    sweep(this.#w);
  }

  /**
   * @param {Item} item
   * @param {Reached} to
   * @param {{ syscalls: Syscall[], answers: Answer[] }} crank
   */
  #keptByVat(item, { vatId, vatDelivery, step }, { syscalls, answers }) {
    const w = this.#w;
    const writer = this.#transcripts.get(vatId) ?? new ByteWriter();
    this.#transcripts.set(vatId, writer);
    const tag = { timeNs: 0, microstep: item.microstep };
    writeTranscriptEntry(writer, {
      ...{ kind: 'deliver', tag, stage: 0, delivery: vatDelivery },
      ...{ answers, syscalls },
    });
    if (w.profile !== 'current') return;
    if (step === 'message' || step === 'notify') countDelivery(w, vatId);
    if (step !== 'bringOutYourDead') return;
    const vat = vatOf(w, vatId);
    vat.count = 0;
    vat.isAsked = false;
    const list = listOf(w, vatId);
    list.seenObjects = list.nextObject;
    const dead = ['dropImports', 'retireImports', 'retireExports'].map(kind =>
      syscalls
        .filter(syscall => syscall[0] === kind)
        .map(syscall => /** @type {string[]} */ (syscall[1]).join(' '))
        .join(' '),
    );
    this.#input('dead', vatId, dead.join(';'));
    if (!w.queue.some(({ kind }) => kind === 'collect')) queueControl(w, 'collect', '');
  }

  /**
   * @param {Item} item
   * @param {string} vatId
   * @param {string} outcome
   * @param {Delivery} delivery
   * @param {Syscall[]} syscalls
   */
  #record(item, vatId, outcome, delivery, syscalls) {
    const w = this.#w;
    const writer = this.#records;
    w.cranks += 1;
    if (item.class === 0) w.controlCranks += 1;
    const step = item.microstep - this.#last.microstep;
    writer.varint(w.cranks - this.#last.crank);
    writer.varint(0);
    writer.varint(step < 0 ? -2 * step - 1 : 2 * step);
    writer.byte(item.class);
    writer.varint(0);
    writer.varint(vatId === '' ? 0 : numberOf(vatId));
    writer.byte(outcomes.indexOf(outcome));
    writeDelivery(writer, delivery);
    writer.varint(syscalls.length);
    for (const syscall of syscalls) writeSyscall(writer, syscall);
    this.#last = { crank: w.cranks, microstep: item.microstep };
  }

  activityHash() {
    return hashRecords(this.#records.view());
  }

  /**
   * @param {Item} item  taken
   * @returns {Reached | { none: [string, string], act: () => void }}
   */
  #route({ kind, vatId, target, message }) {
    const w = this.#w;
    const nothing = () => {};
    switch (kind) {
      case 'send':
        return this.#routeSend(target, must(message ?? undefined));
      case 'notify': {
        if (!isRunning(w, vatId)) {
          const act = () => w.profile === '2020-09' && inc(w, 'dispatches');
          return { none: ['ended', target], act };
        }
        if (w.profile === 'current' && vrefOf(listOf(w, vatId), target) === undefined)
          return { none: ['told', target], act: nothing };
        return notify(w, vatId, target);
      }
      case 'cleanUp':
        return {
          none: ['cleanUp', vatId],
          act: () => {
            cleanUp(w, vatId, this.#onGone);
            if (vatOf(w, vatId).isEnding) queueControl(w, 'cleanUp', vatId);
          },
        };
      case 'collect':
        return {
          none: ['collect', ''],
          act: () => {
            for (const { vatId: told, verdict, krefs } of judge(w))
              queueControl(w, verdict, told, krefs);
          },
        };
      default:
        break;
    }
    if (!isRunning(w, vatId)) return { none: ['ended', vatId], act: nothing };
    const reached = { vatId, brings: false, step: kind, result: null };
    if (kind === 'start') {
      inc(w, 'dispatchStartVat');
      /** @type {Delivery} */
      const delivery = ['startVat', { body: `${this.#start}{}`, slots: [] }];
      return { ...reached, delivery, vatDelivery: delivery };
    }
    if (kind === 'bringOutYourDead') {
      inc(w, 'dispatchBringOutYourDead');
      return { ...reached, delivery: [kind], vatDelivery: [kind] };
    }
    const krefs = judgeAgain(w, vatId, kind, target.split(' '));
    if (krefs.length === 0) return { none: ['held', vatId], act: nothing };
    return { ...reached, ...tell(w, vatId, kind, krefs) };
  }

  /**
   * @param {string} addressed
   * @param {Message} message
   * @returns {Reached | { none: [string, string], act: () => void }}
   */
  #routeSend(addressed, message) {
    const w = this.#w;
    const destination = destinationOf(w, addressed, message);
    if (destination.to === 'vat') return deliver(w, destination.vatId, destination.target, message);
    if (destination.to === 'nobody') {
      const act = () => rejectResult(w, message, destination.data);
      return { none: ['rejected', message.result ?? ''], act };
    }
    const { kpid } = destination;
    return {
      none: ['parked', kpid],
      act: () => void promiseOf(w, kpid).parked.push(message),
    };
  }

  /** @param {Reached} to */
  #run({ vatId, vatDelivery }) {
    const w = this.#w;
    const vat = must(this.#reacts.get(vatId));
    /** @type {{ syscalls: Syscall[], answers: Answer[], applied: Syscall[], done: number, fault: string | null }} */
    const crank = { syscalls: [], answers: [], applied: [], done: 0, fault: null };
    const apply = () => {
      try {
        while (crank.done < crank.syscalls.length) {
          const syscall = crank.syscalls[crank.done];
          crank.done += 1;
          if (syscall[0] !== 'callNow') crank.applied.push(applySyscall(w, vatId, syscall));
        }
        return null;
      } catch (error) {
        if (error instanceof Fault) return error.message;
        throw error;
      }
    };
    const read = (/** @type {Syscall} */ [kind, text]) => {
      const isNext = kind === 'vatstoreGetNextKey';
      const key = /** @type {string} */ (text);
      const problem = findTextProblem(key, isNext ? 'prior key' : 'key');
      if (problem !== undefined) {
        crank.fault ??= problem;
        return undefined;
      }
      const { store } = vatOf(w, vatId);
      return isNext
        ? [...store.keys()].sort(byText).find(next => byText(next, key) > 0)
        : store.get(key);
    };
    vat.cranks += 1;
    const fault =
      vat.react(
        vatDelivery,
        (...syscall) => {
          /** @type {Answer | undefined} */
          let answer;
          if (syscall[0].startsWith('vatstoreGet'))
            answer = { kind: 'value', value: read(syscall) };
          else if (syscall[0] === 'callNow')
            answer = callDevice(w, this.#device, vatId, crank, apply, syscall);
          crank.syscalls.push(syscall);
          if (answer) crank.answers.push(answer);
          return answer;
        },
        vat.cranks,
      ) ?? null;
    crank.fault ??= fault ?? apply();
    return crank;
  }

  /** Everything that lasts, as `describeKernel` describes the real one. */
  describe() {
    const w = this.#w;
    const counts = refCounts(w);
    return {
      next: { ...w.next },
      cranks: { all: w.cranks, control: w.controlCranks },
      microstep: w.microstep,
      hash: this.activityHash(),
      counters: w.counters,
      owners: [...w.owners].sort(([a], [b]) => byText(a, b)),
      held: [...w.held].sort(([a], [b]) => byNumber(a, b)),
      promises: [...w.promises]
        .sort(([a], [b]) => byNumber(a, b))
        .map(([kpid, row]) => ({ kpid, refCount: counts.get(kpid), ...row })),
      queue: w.queue,
      vats: [...w.vats].map(([vatId, { state, holdsDevice, isEnding, list, store }]) => ({
        ...{ vatId, state, holdsDevice, isEnding },
        list: describeList(list),
        store: [...store].sort(([a], [b]) => byText(a, b)),
        transcript: Buffer.from(this.#transcripts.get(vatId)?.view() ?? []).toString('hex'),
      })),
      devices: [...w.devices].map(([id, { list }]) => ({ id, list: describeList(list) })),
      inputs: this.inputs,
    };
  }
}
