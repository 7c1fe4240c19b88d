// The `syscall` object of a raw vat, with the calls of both generations: told apart by their names and, for `send`, by
// its arguments. A raw vat is untrusted like any other, so every argument is read once, checked and copied before it is
// recorded.

import { findSoleSlot, freezeErrorClass } from '#model';
import { isBodyOf, joinMessage, translate } from '../marshal/translate.js';

/** @import { CapData, Resolution } from '#model' */
/** @import { Notation } from '../marshal/translate.js' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */

/** An argument of a syscall has a wrong shape. */
class ShapeError extends TypeError {}
freezeErrorClass(ShapeError);

/** @param {unknown} value */
const kindOf = value => (value === null ? 'null' : typeof value);

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {string}
 */
const readText = (value, what) => {
  if (typeof value !== 'string') {
    throw new ShapeError(`${what} must be a string, got ${kindOf(value)}`);
  }
  return value;
};

/**
 * The transcript is UTF-8, which cannot hold a lone surrogate: the vat would not replay.
 *
 * @param {unknown} value
 * @param {string} what
 */
const readWellFormed = (value, what) => {
  const text = readText(value, what);
  if (!text.isWellFormed()) throw new ShapeError(`${what} has a lone surrogate`);
  return text;
};

/**
 * @template T
 * @param {unknown} value
 * @param {string} what
 * @param {(element: unknown) => T} read
 * @returns {T[]}
 */
const readList = (value, what, read) => {
  if (!Array.isArray(value)) throw new ShapeError(`${what} must be an array, got ${kindOf(value)}`);
  // Read once: a proxy may give another length, or none, each time.
  const { length } = value;
  if (!Number.isSafeInteger(length) || length < 0)
    throw new ShapeError(`${what} must be an array, got one without a length`);
  const list = [];
  // By index, since an array's own iterator may be anything. The first hole ends it, so that an array of four thousand
  // million holes costs nothing.
  for (let i = 0; i < length; i += 1) list.push(read(value[i]));
  return list;
};

/**
 * @param {any} value
 * @param {string} what
 * @returns {CapData}
 */
const readCapData = (value, what) => {
  if (typeof value !== 'object' || value === null) {
    throw new ShapeError(`${what} must be {body, slots}, got ${kindOf(value)}`);
  }
  const { body, slots } = value;
  const text = readWellFormed(body, `the body of ${what}`);
  return {
    body: text,
    slots: readList(slots, `slots of ${what}`, slot => readText(slot, `a slot of ${what}`)),
  };
};

/**
 * @param {SyscallBuffer} syscalls
 * @param {object} options
 * @param {Notation} options.notation  of the profile: outgoing bodies are written in it
 * @param {() => string | undefined} options.findObstacle  why no syscall can be made now; undefined if one can
 * @param {(data: CapData) => CapData} options.toVat  converts the kernel's data for the vat
 * @param {(data: CapData) => string} options.describeError  the text of a device's error
 * @param {(problem: string) => void} options.onMalformed  called with the problem when an argument has a wrong shape
 */
export const makeRawSyscall = (
  syscalls,
  { notation, findObstacle, toVat, describeError, onMalformed },
) => {
  /** @param {unknown} value @param {string} what */
  const readData = (value, what) => translate(readCapData(value, what), notation);

  /** @param {unknown} value */
  const readResult = value =>
    value === undefined || value === null || value === ''
      ? null
      : readText(value, 'the result of a send');

  /**
   * @param {unknown} vpid
   * @param {boolean} rejected
   * @param {CapData} data
   */
  const settle = (vpid, rejected, data) =>
    syscalls.resolve([[readText(vpid, 'a promise'), rejected, data]]);

  /**
   * In 2020 the syscall decided, so that a promise could be data that is one reference. Here the body decides, and a space
   * before it tells the two apart; `notify2020` takes it away.
   *
   * @param {CapData} data
   * @returns {CapData}
   */
  const keepData = data =>
    notation === 'qclass' && findSoleSlot(data) !== undefined
      ? { body: ` ${data.body}`, slots: data.slots }
      : data;

  /** @param {'dropImports' | 'retireImports' | 'retireExports' | 'abandonExports'} kind */
  const teller = kind => (/** @type {unknown} */ vrefs) =>
    syscalls.tellReferences(
      kind,
      readList(vrefs, `the argument of ${kind}`, vref => readText(vref, 'a reference')),
    );

  /** @type {Record<string, (...args: any[]) => unknown>} */
  const methods = {
    send: (target, ...rest) => {
      // Today: target, methargs, result. In 2020: target, method, args, result.
      const isToday = typeof rest[0] === 'object' && rest[0] !== null;
      const to = readText(target, 'the target of a send');
      const methargs = isToday
        ? readData(rest[0], 'a message')
        : translate(
            joinMessage(
              rest[0] === undefined ? undefined : readText(rest[0], 'the method of a send'),
              translate(readCapData(rest[1], 'the arguments of a send'), 'qclass'),
            ),
            notation,
          );
      syscalls.send(to, methargs, readResult(rest[isToday ? 1 : 2]));
    },
    subscribe: vpid => syscalls.subscribe(readText(vpid, 'a promise')),
    resolve: resolutions =>
      syscalls.resolve(
        readList(resolutions, 'the argument of resolve', resolution => {
          if (!Array.isArray(resolution))
            throw new ShapeError(`a resolution must be an array, got ${kindOf(resolution)}`);
          const { 0: vpid, 1: rejected, 2: data } = resolution;
          if (typeof rejected !== 'boolean') {
            throw new ShapeError(
              `a resolution is [promise, rejected, data]; rejected is ${kindOf(rejected)}`,
            );
          }
          return /** @type {Resolution} */ ([
            readText(vpid, 'a promise'),
            rejected,
            readData(data, 'a resolution'),
          ]);
        }),
      ),
    fulfillToData: (vpid, data) => settle(vpid, false, keepData(readData(data, 'a resolution'))),
    fulfillToPresence: (vpid, slot) =>
      settle(
        vpid,
        false,
        translate(
          { body: '{"@qclass":"slot","index":0}', slots: [readText(slot, 'a presence')] },
          notation,
        ),
      ),
    reject: (vpid, data) => settle(vpid, true, readData(data, 'a rejection')),
    exit: (isFailure, info) => {
      const data = readData(info, 'the info of exit');
      // The kernel writes the body into a message of its own.
      if (!isBodyOf(data.body, notation))
        throw new ShapeError('the body of the info of exit is no data');
      syscalls.exit(Boolean(isFailure), data);
    },
    callNow: (device, method, args) => {
      const answer = syscalls.callNow(
        readText(device, 'a device'),
        readWellFormed(method, 'the method of a device call'),
        readData(args, 'the arguments of a device call'),
      );
      if (answer.kind === 'throw') {
        throw Error(`syscall.callNow failed: ${describeError(answer.data)}`);
      }
      return toVat(answer.data);
    },
    vatstoreGet: key => syscalls.vatstoreGet(readText(key, 'a key')),
    // SwingSet's answer where there is no further key.
    vatstoreGetNextKey: prior => syscalls.vatstoreGetNextKey(readText(prior, 'a key')) ?? null,
    vatstoreSet: (key, value) =>
      syscalls.vatstoreSet(readText(key, 'a key'), readText(value, 'a value')),
    vatstoreDelete: key => syscalls.vatstoreDelete(readText(key, 'a key')),
    dropImports: teller('dropImports'),
    retireImports: teller('retireImports'),
    retireExports: teller('retireExports'),
    abandonExports: teller('abandonExports'),
  };

  const guarded = Object.entries(methods).map(([name, method]) => [
    name,
    (/** @type {unknown[]} */ ...args) => {
      const obstacle = findObstacle();
      if (obstacle !== undefined) throw Error(`syscall.${name}: ${obstacle}`);
      try {
        return method(...args);
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
        const problem = `syscall.${name}: ${error.message}`;
        onMalformed(problem);
        throw TypeError(problem, { cause: error });
      }
    },
  ]);
  return harden(Object.fromEntries(guarded));
};
