// Takes the host's inputs between cranks: messages, references that it holds, inputs of devices and physical actions. Calls
// that end or change vats are in host-calls.js.

import { Fail } from '#model';
import { isLimit } from '../crank/flight.js';
import { scheduleAction, stopAllPrograms } from '../reactors/ports.js';
import { recordHostInput } from './inputs.js';

/** @import { CapData } from '#model' */
/** @import { CrankRunner } from '../crank/runner.js' */
/** @import { HostReferences } from './host-references.js' */
/** @import { KernelState } from '../tables/state.js' */

/**
 * @param {KernelState} state
 * @param {CrankRunner} runner
 * @param {HostReferences} host
 * @param {() => void} insistIdle
 */
export const makeHostInputs = (state, runner, host, insistIdle) => ({
  /**
   * Give a device an input, between cranks. Its messages are queued one microstep after the last item taken.
   *
   * @param {string} deviceId
   * @param {string} data
   */
  deviceInput(deviceId, data) {
    runner.gate.alone(() => runner.between.input(deviceId, data));
    // The host may have called a function of the device meanwhile.
    if (runner.devices.hasLater) runner.devices.doLater();
  },

  /**
   * Schedule a physical action of a vat's root reactor, between cranks: at the time that the clock shows.
   *
   * @param {string} vatId
   * @param {string} action  its name
   * @param {CapData} data  the value, in krefs and in the profile's notation
   * @param {number} [clockNs]  in a replay: the recorded time, in nanoseconds since the start of the run
   * @throws {UserError} the vat has no such action
   */
  physicalInput(vatId, action, data, clockNs) {
    runner.gate.alone(() => {
      scheduleAction(state, vatId, action, data, clockNs);
      state.keepBetweenCranks();
    });
  },

  /**
   * End a vat that does not replay, between cranks: by a fault, recorded as an input of the run.
   *
   * @param {string} vatId
   * @throws {CriticalVatError} it is critical
   */
  endDiverging(vatId) {
    insistIdle();
    state.vats.isRunning(vatId) || Fail`vat ${vatId} has ended already`;
    runner.between.endDiverging(vatId);
  },

  /**
   * In a replay: end a vat in the next crank without calling it, because the recorded run stopped it there. Between
   * cranks.
   *
   * @param {string} vatId  may be a vat that the crank creates
   * @param {string} [limit]  the limit that it exceeded; none if the machine had no memory for it
   * @throws {Error} there is no such limit
   */
  refuseNext(vatId, limit) {
    insistIdle();
    if (limit !== undefined && !isLimit(limit)) throw Fail`${limit} is no limit of a vat`;
    runner.refuseNext(vatId, limit);
  },

  /** End the reactor programs that still run, at the next microstep, when no more inputs come. Between cranks. */
  stopPrograms() {
    insistIdle();
    if (stopAllPrograms(state)) recordHostInput(state, 'stop', '', '');
    state.keepBetweenCranks();
  },

  /** Makes permanent what a device changed while it was built. Runs between cranks. */
  keepBuilt() {
    insistIdle();
    state.keepBetweenCranks();
  },

  /**
   * Queue a message to a vat's root object, one microstep after the last item taken. Only between cranks. The
   * host holds the result until `release`.
   *
   * @param {string} vatId
   * @param {CapData} methargs  method and arguments, in krefs and in the profile's notation
   * @returns {string} kref of the result
   * @throws {UserError} the vat has ended
   */
  queueToVatRoot(vatId, methargs) {
    insistIdle();
    return host.sendToRoot(vatId, methargs);
  },

  /**
   * Queue a message to an object or a promise, as to a root. Only between cranks. The host holds the result until
   * `release`.
   *
   * @param {string} target  its kref
   * @param {CapData} methargs  method and arguments, in krefs and in the profile's notation
   * @returns {string} kref of the result; the kernel rejects it if the object's vat has ended
   */
  queueToTarget(target, methargs) {
    insistIdle();
    return host.send(target, methargs);
  },

  /**
   * Queue a message without a result to an object or a promise. Only between cranks. Nobody learns what becomes of it.
   *
   * @param {string} target  its kref
   * @param {CapData} methargs  method and arguments, in krefs and in the profile's notation
   */
  sendOnly(target, methargs) {
    insistIdle();
    host.sendOnly(target, methargs);
  },

  /**
   * Hold an object or promise that the host was told of, such as an object in a result: it stays until `release`, once
   * for each `hold`. Only between cranks; an input of the run.
   *
   * @param {string} kref
   */
  hold(kref) {
    insistIdle();
    host.hold(kref);
  },

  /**
   * Release a result or something held. A promise that nothing else refers to is deleted at the end of the next crank.
   *
   * @param {string} kref
   */
  release(kref) {
    insistIdle();
    host.release(kref);
  },

  /**
   * Watch a promise that the host holds, in this process only: once it settles, `takeSettled` returns it.
   *
   * @param {string} kref
   */
  watchPromise(kref) {
    state.promises.watched.add(kref);
  },

  /**
   * The watched promises that settled since the last call, in the order in which they settled. They are no longer
   * watched. To be called between cranks.
   *
   * @returns {string[]}
   */
  takeSettled() {
    insistIdle();
    return state.promises.takeSettled();
  },
});
