// A kernel with scripted vats, for tests: `makeTestKernel({ vats: { alice: react, … } })`.

import { createHash } from 'node:crypto';
import { makeKernel, profiles } from '#kernel';
import { makeMemoryStore } from '#store';
import { inMacrotask } from './macrotask.js';
import { makeScriptedTransport, replayScripted } from './scripted-vat.js';

/** @import { CrankObserver, Device, DevicePowers, Transport } from '#kernel' */
/** @import { Answer, CapData } from '#model' */
/** @import { Store } from '#store' */
/** @import { React } from './scripted-vat.js' */

/** @param {Uint8Array} bytes */
export const sha256 = bytes => createHash('sha256').update(bytes).digest();

/**
 * @typedef {object} TestVat
 * @property {React} react
 * @property {boolean} [starts]  begins with a start delivery, where the profile has them
 * @property {boolean} [pipelining]
 * @property {Record<string, unknown>} [options]
 */

/**
 * The source of a vat that is made in the run: a function without state, or a maker of one.
 *
 * @typedef {React | { make: (vatId: string, incarnation: number) => React }} TestSource
 */

/**
 * A device: what answers its calls, or more.
 *
 * @typedef {((method: string, args: CapData) => Answer)
 *   | { build: (powers: DevicePowers) => Partial<Device> }} TestDevice
 */

/**
 * @typedef {object} TestKernelOptions
 * @property {Record<string, React | TestVat>} vats  in the order of their ids; the first gets `bootstrap`
 * @property {Record<string, TestDevice>} [devices]
 * @property {Record<string, TestSource>} [sources]  vats that the run can make, by their sources
 * @property {'current' | '2020-09'} [profile]
 * @property {Store} [store]
 * @property {boolean} [resume]  take up the state in the store
 * @property {CrankObserver} [crankObserver]
 * @property {import('#kernel').PhysicalClock} [clock]
 * @property {number} [lookahead]
 * @property {(transport: Transport, vatId: string) => Transport} [wrapTransport]
 * @property {boolean} [takesHandedOut]  what devices hand out is kept until it is taken
 * @property {import('../kernel/reactors/wiring-plan.js').WiringPlan} [wiring]  connections of the vats' reactors
 * @property {boolean} [makesVatsLater]  the place where a new vat runs is not there at once
 */

/** @returns {never} */
const refuse = () => {
  throw Error('the device of this test has no such part');
};

/**
 * @param {(method: string, args: CapData) => Answer} answer
 * @returns {Device}
 */
const plainDevice = answer => ({
  invoke: (_node, method, args) => answer(method, args),
  wake: refuse,
  input: refuse,
  reset: () => {},
});

/** @param {TestSource} source @param {string} vatId @param {number} incarnation */
const reactOf = (source, vatId, incarnation) =>
  typeof source === 'function' ? source : source.make(vatId, incarnation);

/** @param {TestKernelOptions} options */
export const makeTestKernel = ({
  vats,
  devices = {},
  sources = {},
  profile = 'current',
  store = makeMemoryStore(),
  resume = false,
  crankObserver,
  clock,
  lookahead = 0,
  wrapTransport = transport => transport,
  makesVatsLater = false,
  takesHandedOut = false,
  wiring,
}) => {
  /** @type {[vatId: string, problem: string][]} */
  const faults = [];
  /** @type {[deviceId: string, problem: string][]} */
  const deviceFaults = [];
  const kernel = makeKernel(profile, {
    store,
    sha256,
    lookahead,
    takesHandedOut,
    ...(crankObserver && { crankObserver }),
    ...(clock && { clock }),
    onVatFault: (vatId, problem) => faults.push([vatId, problem]),
    onDeviceFault: (deviceId, problem) => deviceFaults.push([deviceId, problem]),
    makeTransport: vatId => {
      const { source, incarnation } = kernel.vat(vatId);
      const react = reactOf(sources[source], vatId, incarnation);
      const transport = wrapTransport(makeScriptedTransport(react), vatId);
      return makesVatsLater ? inMacrotask(() => transport) : transport;
    },
  });
  const names = Object.keys(vats);
  if (resume) {
    kernel.load();
  } else {
    kernel.initialise({
      vats: names.map(name => {
        const vat = vats[name];
        const plain = /** @type {Partial<TestVat>} */ ({});
        const {
          starts = false,
          pipelining = false,
          options = {},
        } = typeof vat === 'function' ? plain : vat;
        return {
          name,
          source: '',
          parameters: `${profiles[profile].wire.start}{}`,
          isBuiltIn: !starts,
          pipelining,
          options,
        };
      }),
      devices: Object.keys(devices),
      bootstrap: names[0],
      ...(wiring && { wiring }),
    });
  }
  for (const { vatId, name, state, isStatic, source, incarnation } of kernel.vats()) {
    if (state !== 'running') continue;
    // An incarnation that a test began by hand has no source of its own.
    const isGiven = isStatic && (incarnation === 0 || sources[source] === undefined);
    const vat = isGiven ? vats[name] : reactOf(sources[source], vatId, incarnation);
    const transport = makeScriptedTransport(typeof vat === 'function' ? vat : vat.react);
    if (resume) replayScripted(transport, kernel.transcript(vatId));
    kernel.attachVat(vatId, wrapTransport(transport, vatId));
  }
  for (const { deviceId, name } of kernel.devices()) {
    const device = devices[name];
    const own =
      typeof device === 'function'
        ? plainDevice(device)
        : device.build(kernel.devicePowers(deviceId));
    kernel.attachDevice(deviceId, { ...plainDevice(refuse), ...own });
  }

  /** @param {string} name */
  const vatId = name => {
    const found = kernel.findVat(name);
    if (found === undefined) throw Error(`there is no vat ${name}`);
    return found;
  };

  return Object.freeze({
    kernel,
    state: kernel.state,
    store,

    /** Vats that the kernel ended, and why. */
    faults,

    /** Mistakes of devices. */
    deviceFaults,

    /**
     * Run until nothing is queued, or `limit` cranks.
     *
     * @param {number} [limit]
     * @param {number} [untilNs]  items of a later logical time wait
     * @returns {Promise<number>} cranks run
     */
    async run(limit = Infinity, untilNs = Infinity) {
      let total = 0;
      for (;;) {
        const { cranks, waiting } = kernel.pump(limit - total, untilNs);
        total += cranks;
        if (waiting === null) return total;
        await waiting;
      }
    },

    vatId,

    /**
     * The kref of a reference in a vat's c-list.
     *
     * @param {string} name
     * @param {string} vref
     */
    kref: (name, vref) => kernel.state.vats.clist(vatId(name)).findKref(vref),

    /**
     * Queue a message to a vat's root.
     *
     * @param {string} name
     * @param {string} method
     * @param {string[]} [slots]  krefs
     * @returns {string} the result, which the host holds
     */
    send: (name, method, slots = []) => kernel.queueToVatRoot(vatId(name), message(method, slots)),

    /** A counter's value. @param {string} name */
    counter: name => kernel.counters.toRecord()[name].value,
  });
};

/** @typedef {ReturnType<typeof makeTestKernel>} TestKernel */

/**
 * The capdata of a message whose arguments are references, in smallcaps. The kernel does not read it.
 *
 * @param {string} method
 * @param {readonly string[]} [slots]
 */
export const message = (method, slots = []) => ({
  body: `#${JSON.stringify([method, slots.map((_, i) => `$${i}`)])}`,
  slots: [...slots],
});

/**
 * Capdata that is no reference, with references in it or not.
 *
 * @param {readonly string[]} [slots]
 */
export const data = (slots = []) => ({
  body: `#${JSON.stringify(slots.map((_, i) => `$${i}`))}`,
  slots: [...slots],
});

/** Capdata that is one object. @param {string} slot */
export const presence = slot => ({ body: '#"$0"', slots: [slot] });

/**
 * The method that a message calls, as `message` wrote it.
 *
 * @param {import('#model').CapData} methargs
 * @returns {string}
 */
export const methodOf = ({ body }) => JSON.parse(body.slice(body.indexOf('[')))[0];
