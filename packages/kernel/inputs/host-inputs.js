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
   * Hand something to a device, between cranks; what it sends is queued one microstep after the last item taken.
   *
   * @param {string} deviceId
   * @param {string} data
   */
  deviceInput(deviceId, data) {
    runner.gate.alone(() => runner.between.input(deviceId, data));
    // A function of the device's that the host called meanwhile.
    if (runner.devices.hasLater) runner.devices.doLater();
  },

  /**
   * Schedule a physical action of a vat's root reactor, between cranks: at the time that the clock shows.
   *
   * @param {string} vatId
   * @param {string} action  its name
   * @param {CapData} data  the value, in krefs and in the profile's notation
   * @param {number} [clockNs]  what the clock showed in the run that this one repeats
   * @throws {UserError} the vat has no such action
   */
  physicalInput(vatId, action, data, clockNs) {
    runner.gate.alone(() => {
      scheduleAction(state, vatId, action, data, clockNs);
      state.keepBetweenCranks();
    });
  },

  /**
   * End a vat that does not replay, between cranks: as by a fault, and as an input of the run.
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
   * A recorded run, which this one repeats, stopped a vat in the next crank: the vat ends in it, and is not asked. Between cranks.
   *
   * @param {string} vatId  it may be one that the crank makes
   * @param {string} [limit]  that it went beyond; none if the machine had no memory for it
   * @throws {Error} there is no such limit
   */
  refuseNext(vatId, limit) {
    insistIdle();
    if (limit !== undefined && !isLimit(limit)) throw Fail`${limit} is no limit of a vat`;
    runner.refuseNext(vatId, limit);
  },

  /** End the programs of reactors that still run, at the next microstep: nothing comes any more. Between cranks. */
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
   * The host takes hold of something that it was told of, as an object in a result: it stays until `release`, once for
   * each time. Only between cranks; an input of the run.
   *
   * @param {string} kref
   */
  hold(kref) {
    insistIdle();
    host.hold(kref);
  },

  /**
   * The host lets go of a result or of what it took hold of; a promise that nothing else refers to is deleted at the
   * end of the next crank.
   *
   * @param {string} kref
   */
  release(kref) {
    insistIdle();
    host.release(kref);
  },

  /**
   * Watch a promise that the host holds, in this process: once it settles, `takeSettled` names it.
   *
   * @param {string} kref
   */
  watchPromise(kref) {
    state.promises.watched.add(kref);
  },

  /**
   * Promises that settled since the last call, of those that are watched, which they are no longer; in the order in
   * which they settled. To be called between cranks.
   *
   * @returns {string[]}
   */
  takeSettled() {
    insistIdle();
    return state.promises.takeSettled();
  },
});
