// `D(device).method(...args)`: a call that is answered at once.

import { typeOfVref } from '#model';

/** @import { References } from './references.js' */
/** @import { SyscallBuffer } from './syscall-buffer.js' */
/** @import { Marshal } from '../marshal/smallcaps.js' */

/**
 * @param {References} references
 * @param {SyscallBuffer} syscalls
 * @param {Marshal} marshal
 * @param {object} [options]
 * @param {(slots: readonly string[]) => void} [options.exportAll]  called with vrefs that the kernel is about to learn
 * @param {boolean} [options.isCurrent]  a symbol is refused when it is called, so nothing reaches the device, and an error says that the syscall failed
 */
export const makeD = (
  references,
  syscalls,
  marshal,
  { exportAll = () => {}, isCurrent = false } = {},
) => {
  /** @type {WeakSet<object>} */
  const proxies = new WeakSet();
  const forbidPromises = (/** @type {string[]} */ slots) => {
    if (slots.some(slot => typeOfVref(slot) === 'promise'))
      throw Error('D() arguments cannot include a Promise');
  };
  const D = (/** @type {any} */ node) => {
    if (proxies.has(node)) throw Error('D(D(x)) is invalid');
    const vref = references.findVref(node);
    if (vref === undefined || typeOfVref(vref) !== 'device')
      throw Error('D() must be given a device node');
    /** @type {Record<string, (...args: any[]) => any>} */
    const target = {};
    const proxy = new Proxy(target, {
      get(_target, method) {
        const isString = typeof method === 'string';
        if (!isString && !isCurrent) return undefined;
        // The transcript is UTF-8, which cannot hold a lone surrogate: the vat would not replay.
        if (isString && !method.isWellFormed())
          throw TypeError('the name of a method has a lone surrogate');
        return harden((/** @type {any[]} */ ...args) => {
          const data = marshal.toCapData(harden(args));
          if (isString) exportAll(data.slots);
          forbidPromises(data.slots);
          if (!isString) throw TypeError('(a symbol) must be a string');
          const answer = syscalls.callNow(vref, method, data);
          const value = marshal.fromCapData(answer.data);
          if (answer.kind === 'throw')
            throw isCurrent
              ? Error(`syscall.callNow failed: ${/** @type {Error} */ (value).message}`)
              : value;
          return value;
        });
      },
    });
    harden(proxy);
    proxies.add(proxy);
    return proxy;
  };
  return harden(D);
};
