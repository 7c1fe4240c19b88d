// Connects the kernel and a device's code: decodes calls, encodes results and sends, and keeps lasting state in the
// device's own store. Devices are written as SwingSet's are: `buildRootDeviceNode(tools)` returns the root node.

import { isAllocatedByVat, isErrorLike, quote, tellThrown, typeOfVref } from '#model';
import {
  makeQclassMarshal,
  makeSmallcapsMarshal,
  passStyleOf,
  Remotable,
} from '../marshal/index.js';

/** @import { Answer, CapData } from '#model' */
/** @import { Marshal } from '../marshal/smallcaps.js' */

/**
 * The powers that the kernel gives a device; packages/kernel/crank/devices.js implements them.
 *
 * @typedef {DeviceStore & DeviceActions} KernelPowers
 */

/**
 * @typedef {object} DeviceStore
 * @property {(key: string) => string | undefined} get
 * @property {(key: string, value: string) => void} set
 * @property {(key: string) => void} delete
 * @property {(prior: string) => string | undefined} nextKey
 */

/**
 * @typedef {object} DeviceActions
 * @property {() => number} now
 * @property {(timeNs: number) => void} wakeAt
 * @property {(timeNs: number) => void} cancelWake
 * @property {(target: string, methargs: CapData) => void} sendOnly
 * @property {(data: string) => void} handOut
 * @property {(deed: ['send', target: string, methargs: CapData] | ['set', key: string, value: string] | ['delete', key:
 *   string]) => void} outside  does an action of the device when the host calls a function that the device gave it
 * @property {(name: string, args: CapData) => CapData} callHook  calls a function of the host program
 */

/**
 * The parameters of a device's `buildRootDeviceNode`.
 *
 * @typedef {object} DeviceTools
 * @property {(presence: object) => any} SO  `SO(x).method(...args)` sends without a result; it also works in a function
 *   that the device gave to its host, which may call it between cranks
 * @property {() => any} getDeviceState  the last state that was set; undefined at first
 * @property {(state: any) => void} setDeviceState  sets the state; kept in the store, and undone with a dropped crank
 * @property {{ get: (key: string) => any, set: (key: string, value: any) => void, delete: (key: string) => void,
 *   nextKey: (prior: string) => string | undefined }} store  state by key, for much state; keys in the order of their
 *   bytes
 * @property {(value: any) => CapData} serialize
 * @property {(...parts: unknown[]) => void} testLog
 * @property {Record<string, any>} endowments  from the host program
 * @property {Record<string, any>} deviceParameters  from the config
 * @property {() => number} now  logical time, in nanoseconds since the start of the run
 * @property {(timeNs: number) => void} wakeAt  wakes the device once at that time, or at the next microstep if the time
 *   has come
 * @property {(timeNs: number) => void} cancelWake
 * @property {(wake: () => void) => void} onWake  sets the callback of wake-ups; call it while the device is built
 * @property {(input: (data: string) => void) => void} onInput  sets the callback for inputs of the host
 * @property {(data: string) => void} handOut  hands data to the host when the block is committed
 * @property {(name: string) => object} node  another node of the device, of that name
 * @property {(build: (name: string) => object) => void} onNode  sets the function that builds nodes by their names, now
 *   or in a later run
 */

/**
 * @typedef {object} DeviceOptions
 * @property {string} name
 * @property {'smallcaps' | 'qclass'} notation
 * @property {KernelPowers} powers
 * @property {(tools: DeviceTools) => any} build
 * @property {DeviceTools['testLog']} testLog
 * @property {Record<string, any>} endowments
 * @property {Record<string, any>} parameters
 * @property {(error: unknown) => void} onError  called with what the device throws
 * @property {boolean} [takesDevices]  whether it may be given other devices and pass them on; default false
 */

const rootVref = 'd+0';
/** The number before that of the first error, as in vats. */
const firstErrorNumber = 70_000;
const stateKey = 'state';
const nextNodeKey = 'next';
/**
 * The key for the number of unnamed nodes made while the device is built; with a dot and an index, the vref of each.
 */
const builtKey = 'built';
/** The key for the number of the last error that the device passed in a call. */
const errorKey = 'error';
const userKey = (/** @type {string} */ key) => `k.${key}`;
const nodeKey = (/** @type {string} */ name) => `node.${name}`;
const nameKey = (/** @type {string} */ vref) => `name.${vref}`;

/** References of one life of a device, which ends when it is built anew. */
class DeviceReferences {
  /** @type {WeakMap<object, string>} */
  #vrefs = new WeakMap();

  /** @type {Map<string, object>} */
  #values = new Map();

  /** @param {string} vref @param {object} value */
  register(vref, value) {
    this.#vrefs.set(value, vref);
    this.#values.set(vref, value);
  }

  /** @param {object} value */
  findVref(value) {
    return this.#vrefs.get(value);
  }

  /** @param {string} vref */
  findValue(vref) {
    return this.#values.get(vref);
  }
}

/**
 * @param {DeviceOptions} options
 * @returns {{ invoke: (node: string, method: string, args: CapData) => Exclude<Answer, { kind: 'value' }>,
 *   wake: () => void, input: (data: string) => void, reset: () => void }}
 */
export const makeDevice = options => {
  let life = makeLife(options);
  return Object.freeze({
    invoke: (node, method, args) => life.invoke(node, method, args),
    wake: () => life.wake(),
    input: data => life.input(data),
    reset: () => {
      life = makeLife(options);
    },
  });
};

/**
 * A device built from what is in its store.
 *
 * @param {DeviceOptions} options
 */
// eslint-disable-next-line max-lines-per-function -- what devices are given and export are two tables that every method keeps in step
const makeLife = options => {
  const { name, notation, powers, build, testLog, endowments, parameters, onError } = options;
  const { takesDevices = false } = options;
  const references = new DeviceReferences();

  /** @type {(name: string) => object} */
  let buildNode = node => {
    throw Error(`device ${name} builds no node ${quote(node)}; it calls onNode(build) for that`);
  };
  /** @type {() => void} */
  let wake = () => {
    throw Error(`device ${name} was woken and listens to nothing; it calls onWake(wake) for that`);
  };
  /** @type {(data: string) => void} */
  let input = () => {
    throw Error(`device ${name} takes nothing from the host; it calls onInput(take) for that`);
  };

  /** Whether the kernel calls or builds the device; otherwise its host calls a function that the device gave it. */
  let isInside = true;

  /**
   * @template T
   * @param {() => T} act
   * @returns {T}
   */
  const inside = act => {
    const before = isInside;
    isInside = true;
    try {
      return act();
    } finally {
      isInside = before;
    }
  };

  /** @param {string} key @param {string} value */
  const write = (key, value) =>
    isInside ? powers.set(key, value) : powers.outside(['set', key, value]);
  /** @param {string} key */
  const remove = key => (isInside ? powers.delete(key) : powers.outside(['delete', key]));

  /** Unnamed nodes that this life made while it was built. */
  let builtNodes = 0;
  let isBuilding = true;

  /**
   * Allocates a vref for an unnamed node. Nodes made while the device is built have the same vrefs in each of its
   * lives, as in SwingSet; nodes made later have not, so that a vat never reaches another node than it was given.
   */
  const allocateNode = () => {
    const next = Number(powers.get(nextNodeKey) ?? 1);
    const known = Number(powers.get(builtKey) ?? 0);
    if (isBuilding && builtNodes < known) {
      builtNodes += 1;
      return powers.get(`${builtKey}.${builtNodes}`) ?? `d+${next}`;
    }
    write(nextNodeKey, String(next + 1));
    if (isBuilding) {
      builtNodes += 1;
      write(builtKey, String(builtNodes));
      write(`${builtKey}.${builtNodes}`, `d+${next}`);
    }
    return `d+${next}`;
  };

  /** A vref for a node that has a name. @param {string} named */
  const allocateNamed = named => {
    const next = Number(powers.get(nextNodeKey) ?? 1);
    write(nextNodeKey, String(next + 1));
    write(nodeKey(named), `d+${next}`);
    write(nameKey(`d+${next}`), named);
    return `d+${next}`;
  };

  /** @type {(value: any) => string} */
  const slotOf = value => {
    const known = references.findVref(value);
    if (known !== undefined) return known;
    if (value instanceof Promise) throw Error(`device ${name} cannot pass promises`);
    const vref = allocateNode();
    references.register(vref, value);
    return vref;
  };

  /** @type {(vref: string, iface: string | undefined) => any} */
  const valueOf = (vref, iface) => {
    const known = references.findValue(vref);
    if (known !== undefined) return known;
    if (isAllocatedByVat(vref)) return reviveNode(vref);
    const type = typeOfVref(vref);
    if (type !== 'object' && !(type === 'device' && takesDevices))
      throw Error(`device ${name} cannot be given a ${type}`);
    const presence = makePresence(vref, type, iface);
    references.register(vref, presence);
    return presence;
  };

  /**
   * An object that came to a device of 2020 without an interface goes on without one: the vat that gets it names it.
   *
   * @type {(vref: string, type: string, iface: string | undefined) => object}
   */
  const makePresence = (vref, type, iface) => {
    if (iface === undefined && notation === 'qclass' && type === 'object')
      return harden({ [`_importID_${vref}`]() {} });
    const kind = type === 'object' ? 'presence' : type;
    return Remotable(iface ?? `Alleged: ${kind} ${vref}`, undefined, {});
  };

  /** A node that an earlier life of the device made. @param {string} vref */
  const reviveNode = vref => {
    const named = powers.get(nameKey(vref));
    if (named === undefined) {
      throw Error(
        `node ${vref} of device ${name} is lost: the device was built anew; a node that lasts is made by node(name)`,
      );
    }
    const value = harden(buildNode(named));
    references.register(vref, value);
    return value;
  };

  /**
   * The number of the last error. It is kept in the store, so that a device that is built anew goes on from it: the ids
   * of errors are in the activity hash. While the device is built, and in what its host has it send, which is an input,
   * nothing is kept.
   */
  let unkeptNumber = firstErrorNumber;
  const errorNumbers = {
    get last() {
      if (isBuilding || !isInside) return unkeptNumber;
      return Number(powers.get(errorKey) ?? firstErrorNumber);
    },
    set last(number) {
      if (isBuilding || !isInside) unkeptNumber = number;
      else powers.set(errorKey, String(number));
    },
  };

  /** @type {Marshal} */
  const marshal =
    notation === 'qclass'
      ? makeQclassMarshal(slotOf, valueOf, { onError })
      : makeSmallcapsMarshal(slotOf, valueOf, {
          lenient: true,
          marshalName: `device:${name}`,
          errorNumbers,
          onError,
        });

  /** @param {any} value */
  const serialize = value => marshal.hardenToCapData(value);
  /**
   * The answer to a call that failed, whatever the device threw.
   *
   * @param {unknown} error
   */
  const serializeThrown = error => {
    try {
      return serialize(isErrorLike(error) ? error : Error(tellThrown(error)));
    } catch {
      // An error of a class that marshal does not know, say one of the device's own.
      return serialize(Error(readMessage(error) ?? 'what the device threw cannot be passed'));
    }
  };
  /** @param {any} value */
  const format = value => JSON.stringify(serialize(value));
  /** @param {string | undefined} text */
  const parse = text => (text === undefined ? undefined : marshal.fromCapData(JSON.parse(text)));

  /** @param {string} vref @param {CapData} methargs */
  const send = (vref, methargs) => {
    if (isBuilding)
      throw Error(`device ${name} calls SO(x) while it is built, when nothing can be sent`);
    return isInside ? powers.sendOnly(vref, methargs) : powers.outside(['send', vref, methargs]);
  };

  /** @param {string} method @param {any[]} args */
  const encodeMessage = (method, args) => {
    unkeptNumber = firstErrorNumber;
    return marshal.messageToCapData(method, harden(args));
  };

  const SO = (/** @type {any} */ presence) => {
    const vref = references.findVref(presence);
    if (vref === undefined || typeOfVref(vref) !== 'object')
      throw Error(`SO(x) in device ${name}: x must be an object of a vat`);
    return new Proxy(harden({}), {
      get: (_target, method) =>
        typeof method === 'string'
          ? harden((/** @type {any[]} */ ...args) => send(vref, encodeMessage(method, args)))
          : undefined,
      has: () => true,
    });
  };

  /** @type {DeviceTools} */
  const tools = {
    SO,
    getDeviceState: () => parse(powers.get(stateKey)),
    setDeviceState: state => write(stateKey, format(state)),
    store: Object.freeze({
      get: (/** @type {string} */ key) => parse(powers.get(userKey(key))),
      set: (/** @type {string} */ key, /** @type {any} */ value) =>
        write(userKey(key), format(value)),
      delete: (/** @type {string} */ key) => remove(userKey(key)),
      nextKey: (/** @type {string} */ prior) => {
        const next = powers.nextKey(userKey(prior));
        return next?.startsWith(userKey('')) ? next.slice(userKey('').length) : undefined;
      },
    }),
    serialize,
    testLog,
    endowments,
    deviceParameters: parameters,
    now: powers.now,
    wakeAt: powers.wakeAt,
    cancelWake: powers.cancelWake,
    onWake: listener => {
      wake = listener;
    },
    onInput: listener => {
      input = listener;
    },
    handOut: powers.handOut,
    node: wanted => {
      const vref = powers.get(nodeKey(wanted)) ?? allocateNamed(wanted);
      return references.findValue(vref) ?? reviveNode(vref);
    },
    onNode: builder => {
      buildNode = builder;
    },
  };

  const root = harden(build(tools));
  insistNode(name, root);
  references.register(rootVref, root);
  isBuilding = false;
  isInside = false;

  return {
    /**
     * @param {string} node
     * @param {string} method
     * @param {CapData} args
     * @returns {Exclude<Answer, { kind: 'value' }>}
     */
    invoke: (node, method, args) =>
      inside(() => {
        try {
          const target = valueOf(node, undefined);
          if (typeof target[method] !== 'function') {
            const methods = Object.keys(target).filter(key => typeof target[key] === 'function');
            throw TypeError(
              `device ${name} has no method ${quote(method)}; it has ${methods.map(quote).join(', ')}`,
            );
          }
          const result = target[method](.../** @type {unknown[]} */ (marshal.fromCapData(args)));
          return { kind: 'return', data: serialize(result) };
        } catch (error) {
          onError(error);
          return {
            kind: 'throw',
            data: serializeThrown(error),
          };
        }
      }),
    // There is no caller to throw to: the error goes to the device's console, and the device's actions so far are kept.
    wake: () =>
      inside(() => {
        try {
          wake();
        } catch (error) {
          onError(error);
        }
      }),
    /** @param {string} data  if the device throws, the host gets the error, and nothing of the call is kept */
    input: (/** @type {string} */ data) => inside(() => input(data)),
  };
};

/**
 * @param {string} name
 * @param {any} node
 */
const insistNode = (name, node) => {
  if (node instanceof Promise)
    throw TypeError(
      `buildRootDeviceNode of device ${name} returned a promise; it must return an object of methods, without waiting`,
    );
  const isRecord =
    typeof node === 'object' &&
    node !== null &&
    Object.values(node).every(value => typeof value === 'function');
  if (!isRecord && passStyleOf(node) !== 'remotable')
    throw TypeError(`buildRootDeviceNode of device ${name} must return an object of methods`);
};

/** @param {unknown} error  anything @returns {string | undefined} its own message */
const readMessage = error => {
  try {
    const message = Reflect.getOwnPropertyDescriptor(Object(error), 'message')?.value;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
};
