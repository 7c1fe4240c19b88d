// Types of a device's powers, of its actions outside of calls, and of the callback for its errors.

/** @import { CapData } from '#model' */
/** @import { Upgrade } from '../lifecycle/upgrade.js' */

/**
 * A vat created in the run.
 *
 * @typedef {object} NewVat
 * @property {string} name  for people; may be given twice
 * @property {string} source
 * @property {CapData} parameters  in the device's references
 * @property {boolean} pipelining
 * @property {Record<string, unknown>} options
 */

/**
 * The powers of a device. A device may use them whenever it is called or built, but it may send, wake, create and end
 * vats only while it is called.
 *
 * @typedef {object} DevicePowers
 * @property {(key: string) => string | undefined} get  from the device's own store
 * @property {(key: string, value: string) => void} set
 * @property {(key: string) => void} delete
 * @property {(prior: string) => string | undefined} nextKey  the smallest key after `prior`
 * @property {() => number} now  logical time, in nanoseconds since the start of the run
 * @property {(timeNs: number) => void} wakeAt  wakes the device once, at that time, or at the next microstep if the
 *   time has come
 * @property {(timeNs: number) => void} cancelWake
 * @property {(target: string, methargs: CapData) => void} sendOnly  without a result
 * @property {(data: string) => void} handOut  to the host, once the block is committed
 * @property {(vat: NewVat) => string} createVat  returns the vat's id; the vat starts when the crank is over. Only in a
 *   crank
 * @property {(vatId: string, upgrade: Upgrade, parameters: CapData) => boolean} upgradeVat  false if no such vat runs;
 *   otherwise the vat is upgraded after the crank. Not in the crank that created it
 * @property {(vatId: string, isFailure: boolean, info: CapData) => boolean} endVat  false if no such vat runs; a vat
 *   that calls the device ends when its crank is over
 * @property {(vatId: string) => VatFigures | undefined} vatFigures
 * @property {(vatId: string, options: Record<string, unknown>) => boolean} changeOptions  false if no such vat runs
 * @property {(deed: OutsideDeed) => void} outside  for a function that the device has given to the host: does what the
 *   device wants when the host calls that function, while no vat calls the device. It is an input of the run, done
 *   between cranks: at once, or after the crank that is under way
 * @property {(name: string, args: CapData) => CapData} callHook  calls a function of the host program (`addHook`)
 */

/**
 * In the device's own references.
 *
 * @typedef {['send', target: string, methargs: CapData] | ['set', key: string, value: string] | ['delete', key: string]} OutsideDeed
 */

/** Takes and returns capdata in krefs. @typedef {(args: CapData) => unknown} DeviceHook */

/**
 * How much a vat was given.
 *
 * @typedef {{ objects: number, promises: number, devices: number }} VatFigures  references that the kernel has allocated in it, also those that it has let go
 */

/**
 * Called for each error of a device, since the vat that called it may learn only that the call failed. `isThrown`: the
 * problem is the capdata of an error that the device's own code threw.
 *
 * @typedef {(deviceId: string, problem: string, isThrown: boolean) => void} OnDeviceFault
 */

export {};
