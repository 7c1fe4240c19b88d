// Passes the console output of a simulation's vats and the errors that leave them to the observer: each error once, and
// nothing during a replay, which repeats output.

import { CriticalVatError, VatStartError, WiringError } from '#kernel';
import { showInLine, UserError } from '#model';
import { describeErrorBriefly, reportError, reviveReport } from '#loader/compartment';
import { installRejectionPolicy } from '#loader';
import { parseError } from '../explain/rejection.js';
import { SentErrors } from '../explain/sent-errors.js';
import { WorkBoard } from '../engine/work-board.js';

/** @import { ErrorReport } from '#loader/compartment/index.js' */
/** @import { Running } from './local-transport.js' */
/** @import { VatObserver } from './vats.js' */

/** Bounds on the number of vats whose last error is kept, and on the characters of its text. */
const mostKept = 100;
const longestKept = 10_000;

/** The circumstance of a rejection with a value that is no error. */
const unheard = 'a promise was rejected, and nobody listened';

/**
 * @param {Partial<VatObserver>} given  callbacks of the host program; they never throw
 * @param {boolean} isReplaying  whether the vats are replayed first
 */
export const watchVats = (given, isReplaying) => {
  let isLive = !isReplaying;
  /** Postponed calls of observers, in order; undefined if they are not postponed. @type {(() => void)[] | undefined} */
  let kept;

  /** @param {() => void} act  calls an observer */
  const show = act => {
    if (!isLive) return;
    if (kept === undefined) act();
    else kept.push(act);
  };

  /** Reported errors. @type {WeakSet<object>} */
  const told = new WeakSet();
  const sent = new SentErrors();
  /** The last error of each vat, by its name. @type {Map<string, ErrorReport>} */
  const lastErrors = new Map();
  /** @type {Running} */
  const running = {
    ...{ vatName: undefined, delivery: undefined, cranks: 0 },
    board: new WorkBoard(),
  };

  /**
   * Tell whether a thrown value was not yet reported.
   *
   * @param {unknown} error
   */
  const isNew = error => {
    if (typeof error !== 'object' || error === null) return true;
    if (told.has(error)) return false;
    told.add(error);
    return true;
  };

  /**
   * Bounded, since vats choose the length of their texts and the number of vats.
   *
   * @param {string} vatName
   * @param {ErrorReport} report
   */
  const keepLast = (vatName, report) => {
    const before = lastErrors.get(vatName);
    // That the vat was ended by its last error: the error itself has the place. Every text ends with the empty one.
    const text = before === undefined ? '' : (before.told ?? before).message;
    const isEcho = text !== '' && report.message.endsWith(text);
    if (isEcho && !report.isOfVat) return;
    lastErrors.delete(vatName);
    if (report.message.length > longestKept) return;
    lastErrors.set(vatName, report);
    if (lastErrors.size > mostKept) lastErrors.delete(String(lastErrors.keys().next().value));
  };

  /** @param {string} vatName @param {ErrorReport} report */
  const tell = (vatName, report) => {
    keepLast(vatName, report);
    show(() => given.onVatError?.(vatName, report));
  };

  const hooks = Object.freeze({
    /** @type {VatObserver['onConsole']} */
    onConsole: (vatName, level, text) => show(() => given.onConsole?.(vatName, level, text)),

    // Also called during a replay.
    ...(given.onTestLog !== undefined && {
      onTestLog: (/** @type {string} */ vatName, /** @type {string} */ text) => {
        if (kept === undefined) given.onTestLog?.(vatName, text);
        else kept.push(() => given.onTestLog?.(vatName, text));
      },
    }),

    /**
     * The report is always made, without an observer and in a replay too: when an error's stack is read, the engine
     * drops the objects that it holds, and a vat may detect which objects are collected.
     *
     * @param {string} vatName
     * @param {unknown} error
     * @param {string} [errorId]  which other vats get
     */
    onVatError: (vatName, error, errorId) => {
      const isFirst = isNew(error);
      if (!isFirst && errorId === undefined) return;
      const report = reportError(error);
      sent.note(report, errorId);
      if (isFirst) tell(vatName, report);
    },
  });

  const stop = installRejectionPolicy(reason => {
    const { vatName } = running;
    if (vatName === undefined) return false;
    if (!isNew(reason)) return true;
    const report = reportError(reason);
    // An error from another vat was reported there; what is no error was not.
    if (report.isOfVat) tell(vatName, report);
    else if (report.name === undefined)
      tell(vatName, reviveReport({ ...report.toPlain(), circumstance: unheard }));
    else if (typeof reason === 'object' && reason !== null) told.delete(reason);
    return true;
  });

  /** @param {VatStartError} error */
  const explainStart = error => {
    const { vatName, problem } = error;
    const made = lastErrors.get(vatName);
    const { name, message } = made?.told ?? made ?? {};
    const isIts = problem === message || problem === `${name}: ${message}`;
    const why =
      made !== undefined && isIts && made.name !== 'UserError'
        ? describeErrorBriefly(made)
        : showInLine(problem);
    return new UserError(`vat ${vatName} did not start: ${why}`, { exitCode: 1, cause: error });
  };

  return Object.freeze({
    /** Gets the output and errors of vats and devices, with their names. */
    hooks,

    /** The vat whose crank runs. */
    running,

    /** Finds the report of an error that recently left a vat. */
    findReport: sent.find,

    /** The last error of a vat in this process. @param {string} vatName */
    findLastError: vatName => lastErrors.get(vatName),

    /** Tells whether an error with this text is about a value that could not be passed. */
    isExplained: sent.isExplained,

    /**
     * Call no observer during `act`.
     *
     * @template T
     * @param {() => Promise<T>} act
     */
    async mute(act) {
      isLive = false;
      try {
        return await act();
      } finally {
        isLive = true;
      }
    },

    /** Postpone calls of observers from now on. */
    keepBack() {
      kept = [];
    },

    /** Stop postponing calls of observers. @returns {readonly (() => void)[]} the postponed calls */
    takeKept() {
      const taken = kept ?? [];
      kept = undefined;
      return taken;
    },

    /** The replay is over: observers are called from now on. */
    goLive() {
      isLive = true;
    },

    /** Whether vats' cranks run for the first time. */
    isLive: () => isLive,

    /**
     * Turn the kernel's error into a UserError: a vat that did not start, with the place in the author's file, or an
     * invalid connection, with the config's name.
     *
     * @param {unknown} error  of the kernel
     * @param {string} configName  the config with the connections
     */
    explain(error, configName) {
      if (error instanceof CriticalVatError) {
        const { vatName, info } = error;
        const parsed = parseError(info);
        const why = showInLine(
          parsed === undefined ? info.body : `${parsed.name}: ${parsed.message}`,
        );
        return new UserError(
          `the critical vat ${vatName} ended, which ends the run at its last block: ${why}`,
          { exitCode: 1, cause: error },
        );
      }
      if (error instanceof WiringError)
        return new UserError(`${configName}: ${error.message}`, { cause: error });
      return error instanceof VatStartError ? explainStart(error) : error;
    },

    /** Leaves unhandled rejections to the process again. */
    stop,
  });
};

/** @typedef {ReturnType<typeof watchVats>} VatWatch */
