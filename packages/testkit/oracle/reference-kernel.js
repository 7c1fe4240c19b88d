// The reference kernel: what packages/README.md says, written down as plainly as can be. It knows messages, promises, the
// ends of vats, their stores, devices that answer, and object collection, in both profiles; no reactors, no time, no vats
// that are made in the run. The world is copied before each crank, and a crank that is dropped never was.
// Fuzzers hold the real kernel against it (differential.js).

import { createHash } from 'node:crypto';
import { ByteWriter, writeDelivery, writeSyscall, writeTranscriptEntry } from '#model';
import { applySyscall, Fault, findTextProblem, leaves, mapOut } from './reference-syscalls.js';
import { destinationOf, rejectResult, routeSent, unpark } from './reference-routing.js';
import { cleanUp, countDelivery, endVat, judge, judgeAgain, sendToRoot } from './reference-ends.js';
import {
  addEntry,
  byNumber,
  byText,
  dec,
  deleteEntry,
  emptyList,
  errorData,
  exportObject,
  inc,
  isDevice,
  isPromise,
  isRunning,
  listOf,
  must,
  numberOf,
  promiseOf,
  provideVref,
  queueControl,
  queueSend,
  refCounts,
  rejectWith,
  sweep,
  vatOf,
  vrefOf,
} from './world.js';

/** @import { Answer, CapData, Delivery, Resolution, Syscall } from '#model' */
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

/** A device answers with what it is given, and sends: `sendOnly(target, methargs)`. @typedef {(powers: { sendOnly: (target: string, methargs: CapData) => void }, node: string, method: string, args: CapData) => Exclude<Answer, { kind: 'value' }>} ReferenceDevice */

class DeviceFault extends Error {}

const outcomes = ['kept', 'dropped', 'exit', 'exitWithFailure'];
const chunkBytes = 65_536;

const notified = {
  presence: 'dispatchNotifyFulfillToPresence',
  data: 'dispatchNotifyFulfillToData',
  rejected: 'dispatchReject',
};

/** What a crank that reaches a vat does. @typedef {{ vatId: string, delivery: Delivery, vatDelivery: Delivery, brings: boolean, step: string, result: string | null }} Reached */

/** SwingSet numbers these before those of the config. */
const systemVats = ['vatAdmin', 'comms', 'vattp', 'timer'];

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
    const isOwn = (/** @type {string} */ name) => Number(!systemVats.includes(name));
    const placed = [...named].sort(([, left], [, right]) => isOwn(left.name) - isOwn(right.name));
    w.places = new Map(placed.map(([vatId], i) => [vatId, `v${i + 1}`]));
    const roots = named.map(([vatId]) => {
      const kref = exportObject(w, vatId);
      addEntry(w, listOf(w, vatId), true, kref, 'o+0');
      return kref;
    });
    if (device) {
      w.devices.set('d7', { name: 'device', list: emptyList(), store: new Map() });
      roots.push(this.#newNode('d7', 'd+0'));
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

  /** @param {string} deviceId @param {string} vref */
  #newNode(deviceId, vref) {
    const w = this.#w;
    const kref = `kd${w.next.device}`;
    w.next.device += 1;
    w.owners.set(kref, deviceId);
    inc(w, 'kernelDevices');
    addEntry(w, must(w.devices.get(deviceId)).list, false, kref, vref);
    return kref;
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
    const bytes = this.#records.view();
    let chain = Buffer.alloc(32);
    let at = 0;
    const hash = (/** @type {Uint8Array} */ part) =>
      createHash('sha256').update(chain).update(part).digest();
    for (; bytes.length - at >= chunkBytes; at += chunkBytes)
      chain = hash(bytes.subarray(at, at + chunkBytes));
    return hash(bytes.subarray(at)).toString('hex');
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
        return this.#notify(vatId, target);
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
    return { ...reached, ...this.#tell(vatId, kind, krefs) };
  }

  /** @param {string} vatId @param {string} verdict @param {string[]} krefs */
  #tell(vatId, verdict, krefs) {
    const w = this.#w;
    const list = listOf(w, vatId);
    const vrefs = krefs.map(kref => must(vrefOf(list, kref)));
    inc(w, `dispatch${verdict[0].toUpperCase()}${verdict.slice(1)}`);
    krefs.forEach((kref, i) => {
      if (verdict === 'dropExports') must(list.pairs.get(vrefs[i])).reachable = false;
      else deleteEntry(w, list, kref);
      if (verdict !== 'retireExports') return;
      w.owners.delete(kref);
      dec(w, 'kernelObjects');
    });
    return {
      delivery: /** @type {Delivery} */ ([verdict, krefs]),
      vatDelivery: /** @type {Delivery} */ ([verdict, vrefs]),
    };
  }

  /**
   * @param {string} addressed
   * @param {Message} message
   * @returns {Reached | { none: [string, string], act: () => void }}
   */
  #routeSend(addressed, message) {
    const w = this.#w;
    const destination = destinationOf(w, addressed, message);
    if (destination.to === 'vat')
      return this.#deliver(destination.vatId, destination.target, message);
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

  /** @param {string} vatId */
  #mapIn(vatId) {
    const list = listOf(this.#w, vatId);
    /** @type {string[]} */
    const fresh = [];
    const map = (/** @type {string} */ kref) => {
      if (vrefOf(list, kref) === undefined) fresh.push(kref);
      return provideVref(this.#w, list, true, kref);
    };
    const mapData = (/** @type {CapData} */ { body, slots }) => ({ body, slots: slots.map(map) });
    return { map, mapData, brings: () => fresh.some(isDevice) };
  }

  /** @param {string} vatId @param {string} target @param {Message} message @returns {Reached} */
  #deliver(vatId, target, { methargs, result }) {
    const w = this.#w;
    const { map, mapData, brings } = this.#mapIn(vatId);
    /** @type {Delivery} */
    const vatDelivery = ['message', map(target), mapData(methargs), result && map(result)];
    if (result !== null) {
      promiseOf(w, result).decider = vatId;
      unpark(w, vatId, result);
    }
    inc(w, 'dispatches');
    inc(w, 'dispatchDeliver');
    const delivery = /** @type {Delivery} */ (['message', target, methargs, result]);
    return { vatId, delivery, vatDelivery, brings: brings(), step: 'message', result };
  }

  /** @param {string} vatId @param {string} first @returns {Reached} */
  #notify(vatId, first) {
    const w = this.#w;
    /** @type {string[]} */
    const batch = [];
    const visit = (/** @type {string} */ kpid) => {
      const { state, data } = promiseOf(w, kpid);
      if (batch.includes(kpid) || state === 'unresolved') return;
      batch.push(kpid);
      if (w.profile === 'current') data?.slots.filter(isPromise).forEach(visit);
    };
    visit(first);
    const rows = batch.map(kpid => promiseOf(w, kpid));
    const dataOf = (/** @type {Promised} */ row) => must(row.data ?? undefined);
    const { map, mapData, brings } = this.#mapIn(vatId);
    const isRejected = (/** @type {number} */ i) => rows[i].state === 'rejected';
    const vatBatch = batch.map(
      (kpid, i) => /** @type {Resolution} */ ([map(kpid), isRejected(i), mapData(dataOf(rows[i]))]),
    );
    const kernelBatch = batch.map(
      (kpid, i) => /** @type {Resolution} */ ([kpid, isRejected(i), dataOf(rows[i])]),
    );
    inc(w, 'dispatches');
    if (w.profile === 'current') inc(w, 'dispatchNotify');
    for (const { state } of rows) if (state !== 'unresolved') inc(w, notified[state]);
    batch.forEach((kpid, i) => {
      if (leaves(w, dataOf(rows[i]))) deleteEntry(w, listOf(w, vatId), kpid);
    });
    return {
      ...{ vatId, delivery: ['notify', kernelBatch], vatDelivery: ['notify', vatBatch] },
      ...{ brings: brings(), step: 'notify', result: null },
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
            answer = this.#callDevice(vatId, crank, apply, syscall);
          crank.syscalls.push(syscall);
          if (answer) crank.answers.push(answer);
          return answer;
        },
        vat.cranks,
      ) ?? null;
    crank.fault ??= fault ?? apply();
    return crank;
  }

  /**
   * @param {string} vatId
   * @param {{ applied: Syscall[], fault: string | null }} crank
   * @param {() => string | null} applyEarlier
   * @param {Extract<Syscall, ['callNow', ...any]>} syscall
   * @returns {Answer}
   */
  #callDevice(vatId, crank, applyEarlier, [, vref, method, args]) {
    const w = this.#w;
    const kref = listOf(w, vatId).pairs.get(vref)?.kref;
    if (kref === undefined || !isDevice(kref))
      crank.fault ??= `${JSON.stringify(vref)} is not a device of the vat's c-list`;
    crank.fault ??= applyEarlier();
    const failed = () => ({
      kind: /** @type {const} */ ('throw'),
      data: errorData(w.profile, crank.fault ?? ''),
    });
    if (kref === undefined || crank.fault !== null) return failed();
    /** @type {string[]} */
    let slots;
    try {
      slots = args.slots.map(slot => mapOut(w, vatId, slot));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      crank.fault = error.message;
      return failed();
    }
    if (slots.some(isPromise)) {
      crank.fault = 'the arguments of a device call cannot hold promises';
      return failed();
    }
    inc(w, 'syscalls');
    inc(w, 'syscallCallNow');
    crank.applied.push(['callNow', kref, method, { body: args.body, slots }]);
    const { kind, data } = this.#invoke(kref, method, { body: args.body, slots }, crank);
    const given = data.slots.map(slot => provideVref(w, listOf(w, vatId), true, slot));
    return { kind, data: { body: data.body, slots: given } };
  }

  /**
   * @param {string} kref
   * @param {string} method
   * @param {CapData} args
   * @param {{ applied: Syscall[] }} crank
   */
  #invoke(kref, method, args, { applied }) {
    const w = this.#w;
    const deviceId = must(w.owners.get(kref));
    const { list, name } = must(w.devices.get(deviceId));
    const out = (/** @type {string} */ vref) => {
      const known = list.pairs.get(vref)?.kref;
      if (known !== undefined) return known;
      if (!/^d\+(?:0|[1-9]\d*)$/.test(vref))
        throw new DeviceFault(
          `device ${name} named ${JSON.stringify(vref)}, which is neither its own nor something that it was given`,
        );
      return this.#newNode(deviceId, vref);
    };
    const mapOutData = (/** @type {CapData} */ { body, slots }) => ({
      body,
      slots: slots.map(out),
    });
    const sendOnly = (/** @type {string} */ targetVref, /** @type {CapData} */ data) => {
      const target = out(targetVref);
      if (isDevice(target)) throw new DeviceFault('a message cannot go to a device');
      const methargs = mapOutData(data);
      queueSend(w, target, { methargs, result: null });
      inc(w, 'syscalls');
      inc(w, 'syscallSend');
      applied.push(['send', target, methargs, null]);
    };
    const slots = args.slots.map(slot => provideVref(w, list, false, slot));
    try {
      const node = must(vrefOf(list, kref));
      const answer = must(this.#device)({ sendOnly }, node, method, { body: args.body, slots });
      // In `current` a vat learns no more than that.
      if (answer.kind === 'throw' && w.profile === 'current')
        throw new DeviceFault('device.invoke failed, see logs for details');
      return { kind: answer.kind, data: mapOutData(answer.data) };
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      const why =
        w.profile === 'current' ? 'device.invoke failed, see logs for details' : error.message;
      return { kind: /** @type {const} */ ('throw'), data: errorData(w.profile, why) };
    }
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

/** @param {import('./world.js').List | undefined} list */
const describeList = list =>
  list && { ...list, pairs: [...list.pairs].sort(([a], [b]) => byText(a, b)) };
