// A crank's syscalls, collected in order. Most have no answer and wait for the end of the crank; the few that
// have one are asked through the transport's answerer, and both question and answer are written down.

import { compareTexts, KeyOrder } from '#model';
import { enterInterfaces, makeInterfaceTable } from '../marshal/prototypes.js';

/** @import { Answer, CapData, ReactorReport, Resolution, Syscall } from '#model' */

/** Asks what the transcript says was dead; the kernel knows nothing of it. @typedef {['bringOutYourDead']} AskDead */

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
   * For keys that the kernel still has and this crank has deleted: the next key that was not deleted when the vat walked
   * there; the empty string at the end. A key that is written again is in the order.
   *
   * @type {Map<string, string>}
   */
  #skips = new Map();

  /** Whether the crank is told by itself though it has asked and said nothing. */
  isTold = false;

  /** The references that the vat was found to have let go of. @type {string | undefined} */
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
   * The crank is over: what it asked for, and what it was told. The buffer is empty again.
   *
   * @param {string | null} fault  what goes with it: why the vat must end, if it must
   * @param {ReactorReport | null} [reactors]  and what its reactors did and want
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

  /**
   * Most cranks make one or two. A list that grows from nothing takes room for 17.
   *
   * @param {Syscall} syscall
   */
  #push(syscall) {
    if (this.#syscalls.length === 0) this.#syscalls = [syscall];
    else this.#syscalls.push(syscall);
  }

  /** @param {Syscall} syscall */
  #ask(syscall) {
    if (this.#answerer === undefined) throw Error('a vat cannot ask the kernel between cranks');
    // It can be a device that is called, which is not replayed with the vat.
    enterInterfaces();
    const answer = this.#answerer(syscall, this.#syscalls);
    enterInterfaces(this.#interfaces);
    this.#push(syscall);
    this.#answers.push(answer);
    return answer;
  }

  /**
   * The references that the vat lets go of: as in the run that is replayed, or as found now. They are noted as an answer,
   * for the vat does not determine them.
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
   * Reads the clock, and notes the time as an answer.
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

  /** Whether the crank has asked or said anything, or is told all the same. */
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
   * Tells the kernel of references that the vat holds or has given away.
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
   * The kernel's next key. One that this crank has deleted is no longer there, though the kernel still has it: what comes
   * behind it is asked for once.
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
