// Lets the host change vats between cranks: end them, ask for their dead references, change how often all are asked,
// install bundles. Each call is an input of the run, so a replay does it again. Sending and holding references is in
// host-references.js.

import { Fail, isDeviceKref, isPromiseKref, quote, UserError } from '#model';
import { figure } from '../tables/figures.js';
import {
  cleanupBudgetOf,
  insistCleanupBudget,
  insistCleansUp,
  setCleanupBudget,
} from '../lifecycle/cleanup-budget.js';
import { keepFirstThresholds } from '../lifecycle/beginning.js';
import { formatThreshold, parseThreshold } from '../tables/reap-thresholds.js';
import { recordHostInput } from './inputs.js';

/** @import { Threshold } from '../tables/reap-thresholds.js' */
/** @import { CapData } from '#model' */
/** @import { DeviceHook, OutsideDeed } from '../crank/device-powers.js' */
/** @import { CrankRunner } from '../crank/runner.js' */
/** @import { CleanupBudget } from '../lifecycle/cleanup-budget.js' */
/** @import { KernelState } from '../tables/state.js' */

/** The form of a kref. */
const krefPattern = /^k[opd][1-9]\d*$/;

/**
 * Whether the host may name a reference in a message. It may still name an object whose vat has ended or has retired
 * it: messages to it are rejected.
 *
 * @param {KernelState} state
 * @param {unknown} kref
 */
const isKnown = ({ owners, promises, figures }, kref) => {
  if (typeof kref !== 'string' || !krefPattern.test(kref)) return false;
  if (isPromiseKref(kref)) return promises.find(kref) !== undefined;
  if (isDeviceKref(kref)) return owners.has(kref);
  return Number(kref.slice(2)) < figures.numbers[figure.nextObject];
};

/**
 * @param {KernelState} state
 * @param {Pick<CrankRunner, 'between' | 'reaper' | 'devices' | 'item'>} runner
 * @param {() => void} insistIdle
 */
export const makeHostCalls = (state, runner, insistIdle) => {
  const insistRunning = (/** @type {string} */ vatId, /** @type {string} */ what) => {
    if (!state.vats.isRunning(vatId))
      throw new UserError(`no vat ${quote(vatId)} runs; there is nothing to ${what}`, {
        exitCode: 1,
      });
  };
  return {
    /** Whether vats of the config are still to start: their starts are first in the queue. */
    isStarting() {
      const item = runner.item ?? state.queue.peek();
      // A vat that was ended before its start may be deleted by then.
      return item?.kind === 'start' && state.vats.vats.get(item.vatId)?.isStatic === true;
    },

    /**
     * Repeats an action outside of calls that a device did in the recorded run.
     *
     * @param {string} deviceId
     * @param {OutsideDeed} deed
     */
    repeatOutside(deviceId, deed) {
      insistIdle();
      runner.devices.doOutside(deviceId, deed);
    },

    /**
     * Give a device a function of the host program, which it calls while it is called itself.
     *
     * @param {string} deviceId
     * @param {string} name
     * @param {DeviceHook} hook  takes and returns capdata in krefs
     */
    addDeviceHook(deviceId, name, hook) {
      runner.devices.addHook(deviceId, name, hook);
    },

    /** How often the host holds a reference. @param {string} kref */
    holds: kref => state.held.get(kref) ?? 0,

    /**
     * Whether the host may name a reference: an existing promise or device, or an object that existed once.
     *
     * @param {unknown} kref
     */
    isKnown: kref => isKnown(state, kref),
    /**
     * End a vat, as its admin node could. vatAdmin is told.
     *
     * @param {string} vatId
     * @param {boolean} isFailure
     * @param {CapData} info  without slots
     * @throws {UserError} no such vat runs
     * @throws {CriticalVatError} it is critical
     */
    endVat(vatId, isFailure, info) {
      insistIdle();
      insistRunning(vatId, 'end');
      info.slots.length === 0 || Fail`the reason for the end of ${vatId} has slots`;
      runner.between.endByHost(vatId, isFailure, info);
    },

    /**
     * Ask a vat for its dead references, with the next cranks.
     *
     * @param {string} vatId
     * @returns {boolean} false if it is asked already, or is never asked
     * @throws {UserError} no such vat runs
     */
    reap(vatId) {
      insistIdle();
      insistRunning(vatId, 'ask');
      if (!runner.reaper.mayAsk(vatId)) return false;
      recordHostInput(state, 'reap', vatId, '');
      runner.reaper.ask(vatId);
      state.keepBetweenCranks();
      return true;
    },

    /**
     * Set after how many deliveries vats are asked for their dead references, where their own options say nothing.
     *
     * @param {Threshold} interval
     */
    setReapInterval(interval) {
      insistIdle();
      recordHostInput(state, 'interval', '', formatThreshold(interval) ?? '');
      keepFirstThresholds(state);
      state.reapThresholds.setInterval(interval);
      runner.reaper.changeIntervals();
      state.keepBetweenCranks();
    },

    /**
     * Set how many dropped and retired objects a vat is told of before it is asked for its dead references, where its own
     * options say nothing.
     *
     * @param {Threshold} krefs
     */
    setReapGCKrefs(krefs) {
      insistIdle();
      recordHostInput(state, 'krefs', '', formatThreshold(krefs) ?? '');
      keepFirstThresholds(state);
      state.reapThresholds.setGcKrefs(krefs);
      runner.reaper.changeIntervals();
      state.keepBetweenCranks();
    },

    /**
     * Set how many entries of ended vats one step deletes from now on.
     *
     * @param {CleanupBudget | boolean} allowed  true: as usual; false: nothing is deleted
     * @throws {UserError} it is no budget, or the profile has no such steps
     */
    setCleanupBudget(allowed) {
      insistIdle();
      const budget = insistCleanupBudget(allowed);
      if (JSON.stringify(budget) === JSON.stringify(cleanupBudgetOf(state))) return;
      insistCleansUp(state.profile);
      // Recorded first: items queued below have the input as their cause, and cancelled ones define its place.
      recordHostInput(state, 'cleanup', '', JSON.stringify(budget));
      setCleanupBudget(state, budget);
      state.keepBetweenCranks();
    },

    /** The number of entries of ended vats that the last step deleted, by kind. */
    lastCleanup: () => ({ ...state.remains.work }),

    /**
     * Record that the host has installed a bundle, from which vats can be created now.
     *
     * @param {string} id
     */
    noteBundle(id) {
      insistIdle();
      recordHostInput(state, 'bundle', '', id);
      state.keepBetweenCranks();
    },
  };
};

/**
 * Repeat an input of a recorded run, if it is one of these calls. The host has what it needs for it (a bundle).
 *
 * @param {ReturnType<typeof makeHostCalls>} calls
 * @param {{ kind: string, vat: string, data: string }} input
 * @returns {boolean} whether it was one of these
 */
export const repeatHostCall = (calls, { kind, vat, data }) => {
  switch (kind) {
    case 'end': {
      const [isFailure, body] = JSON.parse(data);
      calls.endVat(vat, isFailure, { body, slots: [] });
      return true;
    }
    case 'reap':
      calls.reap(vat);
      return true;
    case 'interval':
      calls.setReapInterval(parseThreshold(data || undefined));
      return true;
    case 'krefs':
      calls.setReapGCKrefs(parseThreshold(data || undefined));
      return true;
    case 'device':
      calls.repeatOutside(vat, JSON.parse(data));
      return true;
    case 'bundle':
      calls.noteBundle(data);
      return true;
    case 'cleanup':
      calls.setCleanupBudget(JSON.parse(data));
      return true;
    default:
      return false;
  }
};
