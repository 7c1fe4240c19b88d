// A crank's syscalls, collected in order. Most have no answer and wait for the end of the crank; the few with an answer
// are asked through the transport's answerer, and the answer is recorded too.

import { compareTexts, KeyOrder, withLast } from '#model';
import { enterInterfaces, makeInterfaceTable } from '../marshal/prototypes.js';

/** @import { Answer, CapData, ReactorReport, Resolution, Syscall } from '#model' */

/**
 * Asks for the dead references of the transcript; the kernel does not answer it.
 *
 * @typedef {['bringOutYourDead']} AskDead
 */

/** Asks for physical time at a tag, or whether it is ahead of a logical time by more than a deadline. @typedef {['clock', timeNs: number, microstep: number] | ['deadline', timeNs: number, deadlineNs: number]} AskClock */

/** @typedef {(question: Syscall | AskDead | AskClock, earlier: readonly Syscall[]) => Answer} Answerer */

/** @type {Syscall[]} */
const none = [];
Object.freeze(none);

export class SyscallBuffer {
  /** @type {Syscall[]} */
  #syscalls = none;

  /** @type {Answer[]} */
  #answers = [];

  /** @type {Answerer | undefined} */
  #answerer;

  /** @type {Map<string, string | undefined>} this crank's writes to the vat's own store */
  #writes = new Map();

  /** Interfaces of the vat's remotables. */
  #interfaces;

  /** The keys that the crank has written, in order. @type {KeyOrder | null} */
  #order = null;

  /**
   * For keys that the kernel still has and this crank has deleted: the next key that was not deleted at the last walk
   * over it; the empty string at the end. A key that is written again is in the order.
   *
   * @type {Map<string, string>}
   */
  #skips = new Map();

  /** Whether the crank is reported on its own even without syscalls and answers. */
  isTold = false;

  /** The vat's dead references that were found in this crank. @type {string | undefined} */
  #dead = undefined;

  /** The vat's virtual data, whose changes are written at the crank's end. @type {{ readonly isChanged: boolean } | undefined} */
  unwritten = undefined;

  /** @param {Parameters<typeof makeInterfaceTable>[0]} [interfaces]  how remotables look in the vat */
  constructor(interfaces) {
    this.#interfaces = makeInterfaceTable(interfaces);
  }

  /** @param {Answerer} answerer  for the crank that begins */
  begin(answerer) {
    this.#answerer = answerer;
    this.isTold = false;
    enterInterfaces(this.#interfaces);
  }

  /**
   * Ends the crank: returns its syscalls and answers, and empties the buffer.
   *
   * @param {string | null} fault  why the vat must end, if it must
   * @param {ReactorReport | null} [reactors]  the report of its reactors
   */
  take(fault, reactors = null) {
    /** @type {{ fault: string | null, syscalls: Syscall[], answers: Answer[], reactors: ReactorReport | null, dead?: string }} */
    const taken = { fault, syscalls: this.#syscalls, answers: this.#answers, reactors };
    if (this.#dead !== undefined) taken.dead = this.#dead;
    this.#dead = undefined;
    this.#syscalls = none;
    if (this.#answers.length > 0) this.#answers = [];
    this.#answerer = undefined;
    enterInterfaces();
    if (this.#writes.size > 0) {
      this.#writes.clear();
      this.#order = null;
      if (this.#skips.size > 0) this.#skips.clear();
    }
    return taken;
  }

  /** @param {Syscall} syscall */
  #push(syscall) {
    this.#syscalls = withLast(this.#syscalls, syscall);
  }

  /** @param {Syscall} syscall */
  #ask(syscall) {
    if (this.#answerer === undefined) throw Error('a vat cannot ask the kernel between cranks');
    // A device may be called, whose remotables are not the vat's.
    enterInterfaces();
    const answer = this.#answerer(syscall, this.#syscalls);
    enterInterfaces(this.#interfaces);
    this.#push(syscall);
    this.#answers.push(answer);
    return answer;
  }

  /**
   * The vat's dead references: those of the run that is replayed, or as found now. They are recorded as an answer,
   * since the vat does not determine them.
   *
   * @param {() => string} find
   * @returns {string}
   */
  findDead(find) {
    if (this.#answerer === undefined) throw Error('a vat cannot ask the kernel between cranks');
    const recorded = this.#answerer(['bringOutYourDead'], this.#syscalls);
    const value = recorded.kind === 'value' ? (recorded.value ?? find()) : find();
    this.#answers.push({ kind: 'value', value });
    this.#dead = value;
    return value;
  }

  /**
   * Reads the clock, and records the time as an answer.
   *
   * @param {AskClock} question
   * @returns {string}
   */
  askClock(question) {
    if (this.#answerer === undefined) throw Error('a vat cannot ask for the time between cranks');
    const answer = this.#answerer(question, this.#syscalls);
    if (answer.kind !== 'value' || answer.value === undefined)
      throw Error('a question for the time was answered without one');
    this.#answers.push(answer);
    return answer.value;
  }

  /** Whether the crank has syscalls or answers, or is reported on its own without. */
  get hasAny() {
    return (
      this.#syscalls.length > 0 ||
      this.#answers.length > 0 ||
      this.isTold ||
      this.unwritten?.isChanged === true
    );
  }

  /**
   * @param {number} channel  of the root reactor's outputs
   * @param {CapData} data
   */
  setPort(channel, data) {
    this.#push(['setPort', channel, data]);
  }

  requestStop() {
    this.#push(['requestStop']);
  }

  /** @param {string[]} vrefs */
  dropImports(vrefs) {
    if (vrefs.length > 0) this.#push(['dropImports', vrefs]);
  }

  /** @param {string[]} vrefs */
  retireImports(vrefs) {
    if (vrefs.length > 0) this.#push(['retireImports', vrefs]);
  }

  /** @param {string[]} vrefs */
  retireExports(vrefs) {
    if (vrefs.length > 0) this.#push(['retireExports', vrefs]);
  }

  /**
   * @param {string} target
   * @param {CapData} methargs
   * @param {string | null} result
   */
  send(target, methargs, result) {
    this.#push(['send', target, methargs, result]);
  }

  /** @param {string} promise */
  subscribe(promise) {
    this.#push(['subscribe', promise]);
  }

  /** @param {Resolution[]} resolutions */
  resolve(resolutions) {
    this.#push(['resolve', resolutions]);
  }

  /**
   * @param {boolean} isFailure
   * @param {CapData} info
   */
  exit(isFailure, info) {
    this.#push(['exit', isFailure, info]);
  }

  /**
   * Tells the kernel which references the vat drops, retires or abandons.
   *
   * @param {'dropImports' | 'retireImports' | 'retireExports' | 'abandonExports'} kind
   * @param {string[]} vrefs
   */
  tellReferences(kind, vrefs) {
    this.#push([kind, vrefs]);
  }

  /**
   * @param {string} device
   * @param {string} method
   * @param {CapData} args
   * @returns {{ kind: 'return' | 'throw', data: CapData }}
   */
  callNow(device, method, args) {
    const answer = this.#ask(['callNow', device, method, args]);
    if (answer.kind === 'value')
      throw Error('a device call was answered with a value of the vat store');
    return answer;
  }

  /** @param {string} key */
  vatstoreGet(key) {
    if (this.#writes.has(key)) return this.#writes.get(key);
    return this.#value(['vatstoreGet', key]);
  }

  /**
   * @param {string} key
   * @param {string} value
   */
  vatstoreSet(key, value) {
    if (this.#writes.get(key) === undefined) {
      this.#order ??= new KeyOrder();
      this.#order.add(key);
    }
    this.#writes.set(key, value);
    this.#push(['vatstoreSet', key, value]);
  }

  /** @param {string} key */
  vatstoreDelete(key) {
    this.#writes.set(key, undefined);
    this.#push(['vatstoreDelete', key]);
  }

  /**
   * The smallest key after `prior`, with this crank's writes.
   *
   * @param {string} prior
   */
  vatstoreGetNextKey(prior) {
    const stored = this.#nextStored(prior);
    const written = this.#order?.after(prior, '', this.#isWritten);
    const isFirst =
      stored === undefined || (written !== undefined && compareTexts(written, stored) < 0);
    return isFirst ? written : stored;
  }

  /** @param {string} key */
  #isWritten = key => this.#writes.get(key) !== undefined;

  /**
   * The kernel's next key that this crank has not deleted, though the kernel still has it. The key after a deleted one
   * is asked for only once.
   *
   * @param {string} prior
   */
  #nextStored(prior) {
    let next = this.#value(['vatstoreGetNextKey', prior]);
    const passed = [];
    while (next !== undefined && this.#writes.has(next) && this.#writes.get(next) === undefined) {
      passed.push(next);
      const skip = this.#skips.get(next);
      next = skip === undefined ? this.#value(['vatstoreGetNextKey', next]) : skip || undefined;
    }
    for (let i = 0; i < passed.length; i += 1) this.#skips.set(passed[i], next ?? '');
    return next;
  }

  /** @param {Syscall} syscall */
  #value(syscall) {
    const answer = this.#ask(syscall);
    if (answer.kind !== 'value') throw Error('a read of the vat store was answered with capdata');
    return answer.value;
  }
}
